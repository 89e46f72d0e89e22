// Files of several folders are opened; each shows what the settings of its folder let through.

import { scenario } from './editor.mjs'

await scenario(async (editor, task) => {
  const problems = {}
  for (const file of task.files) await editor.open(file)
  // The last file has a finding: once it is shown, its neighbours, which were opened before it, have been checked.
  await editor.squiggles.first().waitFor()
  for (const file of task.files) {
    await editor.turnTo(file)
    problems[file] = await editor.squiggles.count()
  }
  return { problems, status: await editor.status('virtual environment') }
})
