// A document that was never saved is checked, and rules are explained: that of a finding, and one that is picked.

import { scenario } from './editor.mjs'

await scenario(async (editor, task) => {
  const { page } = editor
  await editor.open(task.file) // once it is known to be C, the languages can be picked
  await page.locator('.statusbar-item', { hasText: /^C$/ }).waitFor()
  await page.locator('.tabs-container').dblclick({ position: { x: 500, y: 10 } })
  await page.locator('.tab.active', { hasText: 'Untitled-1' }).waitFor()
  await editor.run('Change Language Mode')
  await page.locator('.quick-input-widget input').fill('(c)')
  await editor.pick('(c)')
  await page.locator('.statusbar-item', { hasText: /^C$/ }).waitFor()
  await page.locator('.view-lines').click()
  await page.keyboard.insertText(task.text)
  await editor.squiggles.first().waitFor()
  const hover = await editor.hover('Why:')
  await page.keyboard.press('Escape')
  const status = await editor.status('on the')

  await editor.squiggles.first().click({ force: true })
  await editor.offers('Explain')
  await editor.choose('Explain')
  const preview = await tab(page, 'lost-update')

  await editor.turnTo('Untitled-1')
  await editor.run('Assay: Explain a Rule')
  const rules = page.locator('.quick-input-list .monaco-list-row')
  await rules.filter({ hasText: 'race/lost-update' }).waitFor()
  const listed = await rules.locator('.label-name').allInnerTexts()
  await page.locator('.quick-input-widget input').fill('wrong-lock')
  await editor.pick('race/wrong-lock')
  const picked = await tab(page, 'wrong-lock')
  return { hover, status, preview, rules: listed.map((label) => label.trim()), picked }
})

async function tab(page, name) {
  const active = page.locator('.tab.active', { hasText: name })
  await active.waitFor()
  return (await active.innerText()).trim()
}
