// A gate at which a script waits until the test opens it: a FIFO in the folder of the tool.

import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Shell } from "./open-shell.ts"

/** The line of a script that makes the gate. It must be the first, so that the gate exists before the script asks. */
export const makeGate = "mkfifo gate"

/** The line of a script that waits at the gate. */
export const waitAtGate = "read -r _ < gate"

/** Opens the gate. Resolves when the script has reached it and continues. */
export const openGate = ({ folder }: Pick<Shell, "folder">, tool: string): Promise<void> =>
  writeFile(join(folder, "tools", tool, "gate"), "\n", { flag: "r+" })
