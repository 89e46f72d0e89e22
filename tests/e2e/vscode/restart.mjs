// The server is killed, then restarted by command; each time the next one checks the file.

import { readdir, readFile } from 'node:fs/promises'
import { scenario } from './editor.mjs'

await scenario(async (editor, task) => {
  const squiggles = []
  const checked = async () => {
    await editor.squiggles.first().waitFor()
    squiggles.push(await editor.squiggles.count())
  }
  await editor.open(task.file)
  await checked()
  const killed = await servers(task.folder)
  for (const id of killed) process.kill(id, 'SIGKILL')
  const afterDeath = await others(task.folder, killed)
  await editor.status('virtual environment')
  await checked()
  await editor.run('Assay: Restart Server')
  const afterRestart = await others(task.folder, afterDeath)
  await checked()
  return { killed, afterDeath, afterRestart, squiggles, popups: await editor.popups() }
})

/** List the servers that run from the folder, as Linux tells it. */
async function servers(folder) {
  const found = []
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(`${folder}/.venv/bin/assay\0serve`)) found.push(Number(id))
  }
  return found
}

/** Wait until servers run of which none was there before. */
async function others(folder, before) {
  for (;;) {
    const now = await servers(folder)
    if (now.length > 0 && !now.some((id) => before.includes(id))) return now
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
