// No server is there; then one is installed, and the status item finds it.

import { mkdir, symlink } from 'node:fs/promises'
import { scenario } from './editor.mjs'

await scenario(async (editor, task) => {
  await editor.open(task.file)
  const missing = await editor.status('not found')
  const popups = await editor.popups()
  await mkdir(task.bin, { recursive: true })
  await symlink(task.server, `${task.bin}/assay`)

  await editor.run('Assay: Show Status')
  await editor.pick('Look for the Server Again')
  await editor.squiggles.first().waitFor()
  return { missing, popups, found: await editor.status('virtual environment') }
})
