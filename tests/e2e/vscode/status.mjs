// A file is checked, and the status tells by which server.

import { scenario } from './editor.mjs'

await scenario(async (editor, task) => {
  await editor.open(task.file)
  await editor.squiggles.first().waitFor()
  const status = await editor.status(task.expected)
  return { status, squiggles: await editor.squiggles.count(), popups: await editor.popups() }
})
