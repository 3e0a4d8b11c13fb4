// Opens the configured database for one command, with or without a hub.

import { existsSync } from "node:fs"
import { relative } from "node:path"
import type { Hub, HubOptions, Storage } from "@holdpoint/hub"
import { createHub, HoldpointError } from "@holdpoint/hub"
import { elsewhere } from "@holdpoint/hub/outlets"
import type { KeyRing, Sealer } from "@holdpoint/hub/sealing"
import { createBackgroundReport } from "./background-report.ts"
import type { Call } from "./command.ts"
import type { LogFormat, Settings } from "./config.ts"
import { isPostgres } from "./redact.ts"
import { openSealed } from "./sealed-storage.ts"
import { awaitDatabase } from "./serve/await-database.ts"

export interface StorageSession {
  /** Seals answers when it stores them. */
  readonly storage: Storage
  readonly sealer: Sealer
  readonly keys: () => KeyRing
  readonly settings: Settings
  /** Prints background errors on standard error. */
  readonly report: (activity: string, error: unknown) => void
  /** Aborted when newer programs have migrated the database, so that this one has to stop. */
  readonly unusable: AbortSignal
}

export interface Session extends StorageSession {
  readonly hub: Hub
}

export interface StorageOptions {
  /** A command that only reads must not create an empty database in the wrong folder. */
  readonly mustExist: boolean
  /** Print advice on keys even without a terminal: for servers, because people read their logs. */
  readonly adviseAlways?: boolean
  /** Wait for a database that cannot be reached yet: for servers, which may start before it. */
  readonly awaits?: boolean
  /** The format of a server's log, which background errors use too. Default: text. */
  readonly logOf?: (settings: Settings) => LogFormat
}

export interface SessionOptions extends StorageOptions {
  /** Where this command's questions are shown. */
  readonly outlets?: HubOptions["outlets"]
}

export function withHub<T>(
  call: Call,
  { outlets = [], ...options }: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return withStorage(call, options, (session) => withHubOn(call, session, { outlets, work }))
}

export interface HubWork<T> {
  /** Where this command's questions are shown. */
  readonly outlets: NonNullable<HubOptions["outlets"]>
  readonly work: (session: Session) => Promise<T>
}

/** For a command that reads the database before it chooses its outlets. */
export async function withHubOn<T>(call: Call, session: StorageSession, { outlets, work }: HubWork<T>): Promise<T> {
  const { storage, settings, report } = session
  const { limits, retention } = settings
  // `holdpoint serve` runs these outlets and sends their messages, not this process.
  const elsewhereOutlets = (["slack", "email"] as const).filter((name) => settings[name] !== undefined).map(elsewhere)
  const allOutlets = (hub: Hub) => [...(typeof outlets === "function" ? outlets(hub) : outlets), ...elsewhereOutlets]
  const hub = createHub({ storage, outlets: allOutlets, limits, retention, runtime: call.io.runtime, report })
  try {
    return await work({ ...session, hub })
  } finally {
    await hub.close()
  }
}

export async function withStorage<T>(
  call: Call,
  { mustExist, adviseAlways = false, awaits = false, logOf }: StorageOptions,
  work: (session: StorageSession) => Promise<T>,
): Promise<T> {
  const settings = await call.settings()
  if (mustExist) assertExists(call, settings)
  const { database } = settings
  const report = createBackgroundReport(call, { database, log: logOf?.(settings) ?? "text" })
  const advise = (words: string): void => {
    // Advice for Postgres is always printed: several machines share the database, and a key file is on one of them.
    if (adviseAlways || isPostgres(settings.database) || call.io.stderr.isTTY === true) note(call, words)
  }
  const unusable = new AbortController()
  const onTooNew = (error: Error): void => unusable.abort(error)
  const open = () => openSealed({ ...settings, advise, report, onTooNew })
  const { storage, sealer, keys } = await (awaits ? awaitDatabase(call, database, open) : open())
  try {
    return await work({ storage, sealer, keys, settings, report, unusable: unusable.signal })
  } finally {
    await storage.close()
  }
}

export function assertExists(call: Call, { database }: Settings): void {
  if (isPostgres(database) || existsSync(database)) return
  const path = relative(call.io.cwd, database) || database
  throw new HoldpointError(
    "not_found",
    `No question has been asked here yet: there is no database ${path}.\n` +
      "Go to the folder of the program that asked, or name its database with --database.",
  )
}

/** Prints lines on standard error. */
export function note({ out }: Call, words: string): void {
  for (const line of words.split("\n")) out.note(line)
}
