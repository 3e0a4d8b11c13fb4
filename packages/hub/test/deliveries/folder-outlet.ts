// A lasting outlet that writes to a folder: one folder per address, one file per message, written completely or not at
// all.

import { randomUUID } from "node:crypto"
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { LastingOutlet } from "../../src/outlets.ts"

export interface Message {
  readonly prompt: string
  readonly elicitation: string
  readonly message: string
}

export function createFolderOutlet(folder: string): LastingOutlet {
  return {
    name: "folder",
    addressKind: "folder",
    async post({ id, message }, { id: prompt, address }) {
      const directory = join(folder, address)
      await mkdir(directory, { recursive: true })
      // A new file each time, as services do: the hub must not post twice.
      const file = `${prompt}.${randomUUID()}.json`
      await writeFile(join(folder, file), JSON.stringify({ prompt, elicitation: id, message } satisfies Message))
      await rename(join(folder, file), join(directory, file))
      return { state: "shown", receipt: { file } }
    },
    async find({ id, address }) {
      const file = (await filesIn(join(folder, address))).find((name) => name.startsWith(`${id}.`))
      return file === undefined ? undefined : { file }
    },
    async withdraw(_settled, { address, receipt: { file = "" } }) {
      await rm(join(folder, address, file), { force: true })
    },
  }
}

/** The address of each message in the folder. */
export async function seenIn(folder: string): Promise<readonly string[]> {
  const places = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const listings = places.map(async ({ name }) => (await filesIn(join(folder, name))).map(() => name))
  return (await Promise.all(listings)).flat()
}

export async function messagesIn(folder: string, address: string): Promise<readonly Message[]> {
  const files = await filesIn(join(folder, address))
  return Promise.all(files.map(async (file) => JSON.parse(await readFile(join(folder, address, file), "utf8"))))
}

async function filesIn(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return []
    throw error
  })
}
