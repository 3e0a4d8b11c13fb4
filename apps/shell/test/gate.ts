// A place at which a script waits until the test lets it go on: a FIFO in the folder of the tool.

import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Shell } from "./open-shell.ts"

/** Lines of a script: makes the gate before anything else, so that the test finds it when the script has asked. */
export const makeGate = "mkfifo gate"

/** A line of a script: waits at the gate. */
export const waitAtGate = "read -r _ < gate"

/** Resolves when the script has come to the gate and goes on. */
export const openGate = ({ folder }: Pick<Shell, "folder">, tool: string): Promise<void> =>
  writeFile(join(folder, "tools", tool, "gate"), "\n", { flag: "r+" })
