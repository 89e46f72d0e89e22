// VS Code in a real browser, for the scenarios beside this file: what a person sees, and what a person does.
//
// A scenario gets its task as JSON in ASSAY_TASK (the address of the window, the folder it opens, and
// where pictures go, besides what is its own) and writes what it saw as one
// line of JSON to standard output.  It waits for conditions, never for time to pass.

import { createRequire } from 'node:module'

const task = JSON.parse(process.env.ASSAY_TASK)
const { chromium } = createRequire(task.modules + '/')('playwright-core')

const PATIENCE = 30_000

/** Run `play(editor, task)` in a fresh browser, and report what it returns. */
export async function scenario(play) {
  const browser = await chromium.launch({ executablePath: task.chromium, args: ['--no-sandbox', '--disable-gpu'] })
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
  page.setDefaultTimeout(PATIENCE)
  try {
    await page.goto(task.url)
    await page.locator('.monaco-workbench').waitFor()
    process.stdout.write(JSON.stringify(await play(new Editor(page), task)) + '\n')
  } catch (error) {
    await page.screenshot({ path: `${task.failure}.png` })
    await page.keyboard.press('Escape')
    await new Editor(page).run('Assay: Show Status').catch(() => undefined)
    await page.locator('.quick-input-list .monaco-list-row').nth(3).waitFor().catch(() => undefined)
    await page.screenshot({ path: `${task.failure}-status.png` })
    throw error
  } finally {
    await browser.close()
  }
}

export class Editor {
  constructor(page) {
    this.page = page
    this.deadline = Date.now() + 2 * PATIENCE
    this.squiggles = page.locator('.squiggly-warning, .squiggly-error')
  }

  /** Open a file of the folder by its name. */
  async open(name) {
    await this.page.keyboard.press('Control+P')
    const input = this.page.locator('.quick-input-widget input')
    await input.waitFor()
    await input.fill(name)
    await this.pick(name)
    await this.page.locator('.tab.active', { hasText: name }).waitFor()
    await this.page.locator('.view-lines').waitFor()
  }

  /** Turn to a file that is open. */
  async turnTo(name) {
    await this.page.locator('.tab', { hasText: name }).click()
    await this.page.locator('.tab.active', { hasText: name }).waitFor()
  }

  /** Run a command by its title in the palette. */
  async run(title) {
    await this.page.keyboard.press('F1')
    const input = this.page.locator('.quick-input-widget input')
    await input.waitFor()
    await input.fill('>' + title)
    await this.pick(title)
  }

  /** Take the first entry that says `title`, by the keys: a tooltip can lie between the mouse and an entry. */
  async pick(title, list = '.quick-input-list') {
    const rows = this.page.locator(`${list} .monaco-list-row`)
    await rows.filter({ hasText: title }).first().waitFor()
    const end = Date.now() + PATIENCE
    while ((await this.page.locator(`${list} .monaco-list-row.focused`, { hasText: title }).count()) === 0) {
      if (Date.now() > end) throw new Error(`The keys never reached ${title}: ${await rows.allInnerTexts()}`)
      await this.page.keyboard.press('ArrowDown')
    }
    await this.page.keyboard.press('Enter')
  }

  /** Point at the first squiggle, and give the text of the hover. */
  async hover(expected) {
    const hover = this.page.locator('.monaco-hover:visible', { hasText: expected })
    await this.squiggles.first().hover({ force: true })
    await hover.waitFor()
    return (await hover.innerText()).replaceAll('\u00a0', ' ')
  }

  /** Give the titles that the light bulb offers on the line of the cursor. */
  async offers(expected) {
    await this.page.keyboard.press('Control+.')
    const rows = this.page.locator('.action-widget .monaco-list-row.action')
    await rows.filter({ hasText: expected }).waitFor()
    return rows.allInnerTexts()
  }

  /** Choose one of the titles that the light bulb offers. */
  async choose(title) {
    await this.pick(title, '.action-widget')
  }

  /** Show the status of the extension once it says `expected`; give each of its rows as [label, detail]. */
  async status(expected) {
    const row = this.page.locator('.quick-input-list .monaco-list-row')
    for (;;) {
      await this.run('Assay: Show Status')
      await row.filter({ hasText: 'Show the Output' }).waitFor()
      const rows = await row.evaluateAll((all) =>
        all.map((one) => [...one.querySelectorAll('.quick-input-list-row')].map((part) => part.textContent.replaceAll('\u00a0', ' ').trim())),
      )
      await this.page.keyboard.press('Escape')
      await row.first().waitFor({ state: 'hidden' })
      if (rows.flat().join('\n').includes(expected)) return rows
      if (Date.now() > this.deadline) throw new Error(`The status never said ${expected}: ${JSON.stringify(rows)}`)
    }
  }

  /** Give the text of every popup that is shown. */
  popups() {
    return this.page.locator('.notification-toast').allInnerTexts()
  }
}
