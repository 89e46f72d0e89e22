// The evidence of a race is read and photographed, and the status tells which server found it.

import { scenario } from './editor.mjs'

await scenario(async (editor, task) => {
  const { page } = editor
  await editor.open(task.file)
  await editor.squiggles.first().waitFor()
  await page.locator('.view-line', { hasText: task.code }).last().click()
  const status = await editor.status('virtual environment')
  const hover = await editor.hover('Why:')
  await page.screenshot({ path: task.screenshot })
  return { hover, status }
})
