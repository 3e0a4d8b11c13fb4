// Opens shells, and closes them when their test has ended.

import { afterEach } from "vitest"
import type { Shell, ShellOptions } from "./open-shell.ts"
import { openShell } from "./open-shell.ts"

const open: Shell[] = []
afterEach(async () => {
  for (const shell of open.splice(0).reverse()) await shell.close()
})

export async function opened(options: ShellOptions): Promise<Shell> {
  const shell = await openShell(options)
  open.push(shell)
  return shell
}
