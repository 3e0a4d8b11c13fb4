// Recognises the database of the peer server: another MCP server for Nextcloud, which reads the same environment
// variables. Only reads bytes: SQLite itself could write to a file that needs recovery.

import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from "node:fs"
import { wrongUse } from "../wrong-use.ts"

export function refusePeerFile(path: string): void {
  if (!isPeerFile(path)) return
  throw wrongUse(
    `${path} is the database of another Nextcloud MCP server. It was not opened and nothing in it was changed.`,
    "Its content cannot be migrated: each person connects again, with one click, when they are first asked.\n" +
      "Name a new file in TOKEN_STORAGE_DB, or unset it. When everyone has connected, the app passwords of the other " +
      "server can be deleted in Nextcloud (Settings > Security), and its file after that.",
  )
}

function isPeerFile(path: string): boolean {
  if (!existsSync(path) || !statSync(path).isFile() || isHoldpointFile(path)) return false
  // The latest writes may still be in the WAL file.
  const files = [path, `${path}-wal`].filter((file) => existsSync(file) && statSync(file).size <= mostBytes)
  return files.some((file) => peerTables.test(readFileSync(file, "latin1")))
}

/** Matches the definitions of the peer server's tables, as SQLite stores them. */
const peerTables = /CREATE TABLE (?:IF NOT EXISTS )?["`[]?(?:refresh_tokens|app_passwords|login_flow_sessions)\b/i

/** Larger files are not searched: when they are opened, the database refuses files that it did not create. */
const mostBytes = 256 * 1_024 * 1_024

/** Whether the file is one of our databases: the SQLite header has our application id at byte 68. */
function isHoldpointFile(path: string): boolean {
  const header = Buffer.alloc(72)
  const file = openSync(path, "r")
  try {
    readSync(file, header, 0, header.length, 0)
  } finally {
    closeSync(file)
  }
  return header.subarray(68).toString("latin1") === "HOLD"
}
