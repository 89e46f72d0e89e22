// A race is seen, read, suppressed and saved.

import { scenario } from './editor.mjs'

await scenario(async (editor, task) => {
  const { page } = editor
  await editor.open(task.file)
  await editor.squiggles.first().waitFor()
  await page.locator('.view-line', { hasText: task.code }).last().click()
  const hover = await editor.hover('Why:')
  await page.keyboard.press('Escape')

  const offers = await editor.offers('Suppress')
  await editor.choose('Suppress')
  await page.locator('.tab.active.dirty').waitFor()
  await editor.squiggles.first().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+S')
  await page.locator('.tab.active:not(.dirty)').waitFor()
  return { hover, offers, squiggles: await editor.squiggles.count(), popups: await editor.popups() }
})
