// A gate at which a script waits until the test opens it: a FIFO in the folder of the tool.

import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Shell } from "./open-shell.ts"

/** The line of a script that makes the gate. It must be the first, so that the gate exists before the script asks. */
export const makeGate = "mkfifo gate"

/** The line of a script that waits at the gate. */
export const waitAtGate = "read -r _ < gate"

/** Opens the gate. Resolves when the script has reached it and continues. */
export async function openGate(shell: Pick<Shell, "folder">, tool: string): Promise<void> {
  const gate = await openForReader(join(shell.folder, "tools", tool, "gate"))
  await gate.writeFile("\n")
  await gate.close()
}

/** Waits until the script reads: what is written into a FIFO without a reader is lost when the FIFO is closed. */
async function openForReader(path: string): ReturnType<typeof open> {
  for (;;) {
    try {
      return await open(path, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENXIO")) throw error
    }
    await setTimeout(5)
  }
}
