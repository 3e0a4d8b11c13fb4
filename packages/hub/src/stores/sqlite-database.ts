// SQLite through node:sqlite: one file, durable when a write resolves, shared by the processes of one machine. After a
// commit a bell file is written, which the other processes watch. (Watching the WAL misses commits: the WAL changes
// before a commit is complete.)

import { chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, watch, writeSync } from "node:fs"
import { dirname } from "node:path"
import type { StatementSync } from "node:sqlite"
import { DatabaseSync } from "node:sqlite"
import { HoldpointError } from "../core/error.ts"
import type { Database, Dialect, Row, Sql, Statement, Value } from "./database.ts"
import { toNumbered } from "./numbered-statement.ts"

const dialect: Dialect = {
  schema: "",
  // Without AUTOINCREMENT, which would cost a page in every commit and is not needed: no row is ever deleted from a
  // table with an identity column.
  identity: "INTEGER PRIMARY KEY",
  clustered: " WITHOUT ROWID",
  bytewise: "COLLATE BINARY",
  tableQuery: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = $1",
  // A statement runs once per input row, and its parameters name the members of the row.
  reportsEffects: true,
  ordersTenants: false,
  inputSource: "",
  textMember: (member) => `$${member}`,
  integerMember: (member) => `$${member}`,
  amongCondition: (column, json) => `${column} IN (SELECT value FROM json_each(${json}))`,
  inCondition: (column, query) => `${column} IN (${query})`,
  items: (json, alias) => `(SELECT value AS item FROM json_each(${json})) AS ${alias}`,
}

/** The application id of Holdpoint files: "HOLD". */
const applicationId = 0x484f4c44

/** Opens the engine alone, without the tables of the storage. */
export async function openSqliteDatabase(path: string, busyMs: number): Promise<Database> {
  const connection = connect(path, busyMs)
  try {
    await retryWhileBusy(() => {
      const isHoldpointFile = readApplicationId(connection, path)
      const mode = connection.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode
      if (mode !== "wal") throw withoutWal(path)
      // Written once, because writing it again would be a commit at every start.
      if (!isHoldpointFile) connection.exec(`PRAGMA application_id = ${applicationId}`)
    })
    // FULL: a commit is on the disk before it resolves. secure_delete: deleted content is overwritten, not just
    // unlinked.
    connection.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
    // 16 MB of WAL, because commits write about a dozen pages, mostly the same ones between two checkpoints.
    connection.exec("PRAGMA wal_autocheckpoint = 4000")
    return createDatabase(connection, createBell(`${path}-bell`))
  } catch (error) {
    connection.close()
    throw error
  }
}

function connect(path: string, busyMs: number): DatabaseSync {
  const isNew = !existsSync(path)
  try {
    mkdirSync(dirname(path), { recursive: true })
    const connection = new DatabaseSync(path, { timeout: busyMs })
    if (isNew) chmodSync(path, 0o600)
    return connection
  } catch (error) {
    throw notOpened(path, error)
  }
}

const notOpened = (path: string, cause: unknown): HoldpointError =>
  new HoldpointError("store_unavailable", `The database ${path} cannot be opened: ${wordsOf(cause)}`, { cause })

/** Whether the file already has Holdpoint's application id. False for an empty file. Throws for any other file. */
function readApplicationId(connection: DatabaseSync, path: string): boolean {
  let row: Row | undefined
  try {
    // Read in one statement, because another process may be initializing the file at this moment.
    row = connection
      .prepare("SELECT application_id, (SELECT COUNT(*) FROM sqlite_schema) AS tables FROM pragma_application_id")
      .get()
  } catch (error) {
    if (isBusy(error)) throw error
    // An error of a read-only or broken disk does not show that the file is foreign.
    if (!isNotADatabase(error)) throw notOpened(path, error)
    throw new HoldpointError(
      "invalid_config",
      `${path} is not a SQLite database. Nothing was changed; name another file.`,
      { cause: error },
    )
  }
  if (row?.application_id === applicationId) return true
  if (row?.application_id === 0 && row.tables === 0) return false
  throw new HoldpointError(
    "invalid_config",
    `${path} is the database of another program. Nothing was changed; name another file.`,
  )
}

function withoutWal(path: string): HoldpointError {
  const message = `${path} is on a file system that SQLite cannot share between processes (a network drive?).`
  return new HoldpointError("store_unavailable", `${message} Put it on a local disk, or use Postgres.`)
}

/** Retries the setup, because switching to WAL does not wait for other processes that do the same. */
async function retryWhileBusy(work: () => void): Promise<void> {
  for (let retriesLeft = 100; ; retriesLeft--) {
    try {
      work()
      return
    } catch (error) {
      if (retriesLeft === 0 || !isBusy(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 40))
    }
  }
}

function createDatabase(connection: DatabaseSync, bell: Bell): Database {
  const preparedByText = new Map<string, PreparedStatement>()
  const prepare = (text: string): PreparedStatement => {
    const existing = preparedByText.get(text)
    if (existing !== undefined) return existing
    const created = prepareNumbered(connection, text)
    preparedByText.set(text, created)
    return created
  }
  const run = (text: string, values: readonly Value[]): readonly Row[] => prepare(text).statement.all(...values)
  const runForEach = ({ text, rows, resultKind }: Statement, lostStamps: Set<Value>): readonly Row[] => {
    const { statement, members } = prepare(text)
    const results: Row[] = []
    for (const row of rows) {
      const { id = null, stamp = null } = row
      if (stamp !== null && lostStamps.has(stamp)) continue
      const values = members.map((member) => row[member] ?? null)
      if (resultKind === undefined) {
        results.push(...statement.all(...values))
        continue
      }
      const { changes, lastInsertRowid } = statement.run(...values)
      if (resultKind === "position") results.push({ position: lastInsertRowid })
      else if (changes !== 0) results.push({ id })
      else lostStamps.add(stamp)
    }
    return results
  }
  const [beginStatement, commitStatement] = [connection.prepare("BEGIN IMMEDIATE"), connection.prepare("COMMIT")]
  const query: Sql = async (text, values) => withStorageErrors(() => run(text, values))
  const countForeignCommits = (): number => Number(run("PRAGMA data_version", [])[0]?.data_version)
  let lastCommitCount: number | undefined = countForeignCommits()
  /** Never throws: the watcher of the bell calls it, and nothing would catch the error of a disk there. */
  const tryCount = (): number | undefined => {
    try {
      return countForeignCommits()
    } catch {
      return undefined
    }
  }

  return {
    dialect,
    query,
    async commit(statements) {
      return withStorageErrors(() => {
        beginStatement.run()
        try {
          const lostStamps = new Set<Value>()
          const results = statements.map((statement) => runForEach(statement, lostStamps))
          commitStatement.run()
          bell.ring()
          return results
        } catch (error) {
          if (connection.isTransaction) connection.exec("ROLLBACK")
          throw error
        }
      })
    },
    async runExclusively(work) {
      withStorageErrors(() => connection.exec("BEGIN IMMEDIATE"))
      try {
        await work(query)
        connection.exec("COMMIT")
      } catch (error) {
        if (connection.isTransaction) connection.exec("ROLLBACK")
        throw error
      }
    },
    onForeignCommit(callback) {
      return bell.onRing(() => {
        const commitCount = tryCount()
        // Without a count there may be a commit of another process.
        if (commitCount === lastCommitCount && commitCount !== undefined) return
        lastCommitCount = commitCount
        callback()
      })
    },
    async close() {
      bell.close()
      connection.close()
    },
  }
}

interface PreparedStatement {
  readonly statement: StatementSync
  /** The member of an input row that is bound to each parameter. Empty for a query, whose parameters are numbered. */
  readonly members: readonly string[]
}

/** Prepares a statement with positional parameters: binding by name takes longer than many statements. */
function prepareNumbered(connection: DatabaseSync, text: string): PreparedStatement {
  const numberedStatement = toNumbered(text, "?")
  return { statement: connection.prepare(numberedStatement.text), members: numberedStatement.members }
}

interface Bell {
  ring(): void
  onRing(callback: () => void): () => void
  close(): void
}

/**
 * How long the bell is silent after it rang. Commits in this time ring once, at its end. Rings in this time, which may
 * be this process's own, are ignored, and the process looks for commits of other processes once, at the end.
 */
const silenceMs = 5

function createBell(path: string): Bell {
  const callbacks = new Set<() => void>()
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600)
  let silenceTimer: NodeJS.Timeout | undefined
  let isRingDue = false
  const notifyAll = (): void => {
    for (const callback of callbacks) callback()
  }
  const writeBell = (): void => {
    isRingDue = false
    try {
      writeSync(file, bellByte, 0, bellByte.length, 0)
    } catch {
      // The commit is valid. Other processes notice it after the next commit, or at the question's deadline.
    }
  }
  const endSilence = (): void => {
    silenceTimer = undefined
    if (isRingDue) bell.ring()
    notifyAll()
  }
  const watcher = watch(path, () => {
    if (silenceTimer === undefined) notifyAll()
  })
  // If the bell file is removed, notifications are lost, but never an answer.
  watcher.on("error", () => watcher.close())
  const bell: Bell = {
    ring() {
      isRingDue = true
      if (silenceTimer !== undefined) return
      writeBell()
      silenceTimer = setTimeout(endSilence, silenceMs)
    },
    onRing(callback) {
      callbacks.add(callback)
      return () => callbacks.delete(callback)
    },
    close() {
      clearTimeout(silenceTimer)
      if (isRingDue) writeBell()
      watcher.close()
      closeSync(file)
    },
  }
  // Rings at the start, because an earlier process may have died after a commit and before ringing.
  bell.ring()
  return bell
}

const bellByte = Buffer.from(".")

function withStorageErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (isClosedError(error)) {
      throw new HoldpointError("closed", "The storage is closed. Open it again to use it.", { cause: error })
    }
    if (!isFailure(error)) throw error
    const words = isBusy(error) ? "Another process kept the database locked for too long" : wordsOf(error)
    throw new HoldpointError("store_unavailable", `The database cannot be used now: ${words}. Try again.`, {
      cause: error,
    })
  }
}

const isClosedError = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_INVALID_STATE"
const isBusy = (error: unknown): boolean => [5, 6].includes(codeOf(error))
/**
 * Whether the file, its disk or the memory failed, and not the statement. Result codes: NOMEM, READONLY, IOERR, CORRUPT,
 * FULL, CANTOPEN, PROTOCOL.
 */
const isFailure = (error: unknown): boolean => isBusy(error) || [7, 8, 10, 11, 13, 14, 15].includes(codeOf(error))
/** Whether SQLite's result code is SQLITE_NOTADB: the file is not a database. */
const isNotADatabase = (error: unknown): boolean => codeOf(error) === 26
const codeOf = (error: unknown): number =>
  error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
