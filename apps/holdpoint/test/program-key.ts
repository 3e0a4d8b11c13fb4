// The header that a program of the person sends to a server in local mode, whose key is in a file.

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { noteCanary } from "@holdpoint/testkit/canaries/note"

type Headers = Readonly<Record<string, string>>

/** Empty when there is no key in this folder, because people sign in. */
export function programHeaders(folder: string): Headers {
  const file = join(folder, "holdpoint.local-key")
  if (!existsSync(file)) return {}
  const key = readFileSync(file, "utf8").trim()
  noteCanary("program_key", key)
  return { authorization: `Bearer ${key}` }
}
