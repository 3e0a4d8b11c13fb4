// Whether a file is the database of the peer server, which has the same name in the environment. Only looked at, byte by
// byte: SQLite itself would write, were it in the middle of something.

import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from "node:fs"
import { wrongUse } from "../wrong-use.ts"

export function refusePeerFile(path: string): void {
  if (!isPeerFile(path)) return
  throw wrongUse(
    `${path} is the database of another Nextcloud MCP server. It was not opened and nothing in it was changed.`,
    "What it holds cannot be taken over: each person connects once more, with one click, when they are first asked.\n" +
      "Name a new file in TOKEN_STORAGE_DB, or take it away. When all have connected, the app passwords of the other " +
      "server can be deleted in Nextcloud (Settings > Security), and its file after that.",
  )
}

function isPeerFile(path: string): boolean {
  if (!existsSync(path) || !statSync(path).isFile() || isOurs(path)) return false
  // What was written last may not be in the file itself yet.
  const files = [path, `${path}-wal`].filter((file) => existsSync(file) && statSync(file).size <= mostBytes)
  return files.some((file) => tables.test(readFileSync(file, "latin1")))
}

/** As SQLite keeps them. */
const tables = /CREATE TABLE (?:IF NOT EXISTS )?["`[]?(?:refresh_tokens|app_passwords|login_flow_sessions)\b/i

/** Larger ones are left to the database, which refuses what it did not make. */
const mostBytes = 256 * 1_024 * 1_024

/** The mark that our files have, at its place in the header. */
function isOurs(path: string): boolean {
  const header = Buffer.alloc(72)
  const file = openSync(path, "r")
  try {
    readSync(file, header, 0, header.length, 0)
  } finally {
    closeSync(file)
  }
  return header.subarray(68).toString("latin1") === "HOLD"
}
