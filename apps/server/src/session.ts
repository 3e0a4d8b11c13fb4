// A hub for the length of one command, on the database that the settings name.

import { existsSync } from "node:fs"
import { relative } from "node:path"
import type { Hub, Outlet, Storage } from "holdpoint"
import { createHub, HoldpointError } from "holdpoint"
import type { Call } from "./command.ts"
import type { Settings } from "./config.ts"
import { isPostgres, redact } from "./redact.ts"

export interface Session {
  readonly hub: Hub
  readonly settings: Settings
}

export interface SessionOptions {
  /** Where questions of this command are shown. */
  readonly outlets?: (hub: () => Hub) => readonly Outlet[]
  /** A command that only looks must not leave an empty database behind in the wrong folder. */
  readonly mustExist: boolean
}

export async function withHub<T>(
  call: Call,
  { outlets, mustExist }: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const settings = await call.settings()
  const storage = await openStorage(call, settings, mustExist)
  const hub: Hub = createHub({
    storage,
    outlets: outlets?.(() => hub) ?? [],
    limits: settings.limits,
    retention: settings.retention,
    runtime: call.io.runtime,
    report(doing, error) {
      const words = error instanceof Error ? error.message : String(error)
      call.out.note(redact(`holdpoint: ${doing} failed: ${words}`, settings.database))
    },
  })
  try {
    return await work({ hub, settings })
  } finally {
    await hub.close()
    await storage.close()
  }
}

async function openStorage(call: Call, { database }: Settings, mustExist: boolean): Promise<Storage> {
  if (isPostgres(database)) {
    const { openPostgres } = await import("holdpoint/postgres")
    return openPostgres(database)
  }
  if (mustExist && !existsSync(database)) {
    const shown = relative(call.io.cwd, database) || database
    throw new HoldpointError(
      "not_found",
      `No question was asked here yet: there is no database ${shown}.\n` +
        "Go to the folder of the program that asked, or name its database with --database.",
    )
  }
  const { openSqlite } = await import("holdpoint/sqlite")
  return openSqlite(database)
}
