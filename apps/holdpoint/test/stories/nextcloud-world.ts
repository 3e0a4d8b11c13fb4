// The stage of the Nextcloud stories: the command as a process, on stdio or over HTTP; the stand-in for Nextcloud with
// its pages; and a real browser.

import { spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { type RunningStandIn, startStandIn } from "@holdpoint/nextcloud-stand-in"
import { openBrowser } from "@holdpoint/testkit/browser"
import { scanSqlite } from "@holdpoint/testkit/canaries/databases"
import { hear, noteCanary } from "@holdpoint/testkit/canaries/note"
import { compiled } from "@holdpoint/testkit/compiled"
import type { Endpoint } from "@holdpoint/testkit/mcp/server/clients/client"
import { programAt } from "@holdpoint/testkit/programs"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import type { Browser, Page } from "playwright-core"
import { vi } from "vitest"
import { programHeaders } from "../program-key.ts"
import { type NextcloudProgram, openProgram, type ProgramOptions } from "./nextcloud-program.ts"
import { openPeople, type People } from "./people.ts"

type Environment = Readonly<Record<string, string>>

export interface NextcloudStage {
  readonly browser: Browser
  readonly cloud: RunningStandIn
  /** The provider's name, as people read it. */
  readonly name: string
  /** Opens a program that starts the command on stdio, for the person at this machine. */
  open(options: ProgramOptions, env?: Environment): Promise<NextcloudProgram>
  /** Opens a program that calls a server over HTTP. */
  reach(
    options: ProgramOptions,
    endpoint: Omit<Extract<Endpoint, { transport: "http" }>, "transport">,
  ): Promise<NextcloudProgram>
  /** Starts the command over HTTP. Returns the address of its pages; the MCP server is at /mcp. */
  serve(env?: Environment): Promise<string>
  /** People with browsers, at the pages of a server. */
  people(pages: string): People
  /** Closes all browsers and processes. Returns the problems on the pages that people visited. */
  leave(): Promise<readonly string[]>
  close(): Promise<void>
}

export async function openNextcloudStage(): Promise<NextcloudStage> {
  const [browser, cloud] = await Promise.all([
    openBrowser(),
    startStandIn({ seed: true, onSecret: ({ kind, value }) => noteCanary(kind, value) }),
  ])
  const folder = makeScratchFolder("nextcloud")
  const programs: NextcloudProgram[] = []
  const ending: (() => Promise<void>)[] = []
  const crowds: People[] = []
  let databases = 0
  const commandOf = (...more: readonly string[]): readonly string[] => {
    const database = join(folder, `${++databases}.db`)
    return [...programAt(command), "nextcloud", "--host", cloud.url, "--database", database, ...more]
  }
  const keep = (program: NextcloudProgram): NextcloudProgram => {
    programs.push(program)
    return program
  }
  return {
    browser,
    cloud,
    name: `Nextcloud (${new URL(cloud.url).host})`,
    open: async (options, env = {}) =>
      keep(
        await openProgram(options, {
          transport: "stdio",
          command: process.execPath,
          args: commandOf(),
          env: { ...plain, ...env },
        }),
      ),
    async reach(options, endpoint) {
      const { authProvider, headers = authProvider === undefined ? programHeaders(folder) : {} } = endpoint
      return keep(await openProgram(options, { ...endpoint, transport: "http", headers }))
    },
    async serve(env = {}) {
      const { address, end } = await start(commandOf("--http", "0"), env)
      ending.push(end)
      return address
    },
    people(pages) {
      const crowd = openPeople(browser, pages, new URL(cloud.url).origin)
      crowds.push(crowd)
      return crowd
    },
    async leave() {
      const wrong = await Promise.all(crowds.splice(0).map((crowd) => crowd.leave()))
      await Promise.all(programs.splice(0).map((program) => program.close()))
      await Promise.all(ending.splice(0).map((end) => end()))
      return wrong.flat()
    },
    async close() {
      await cloud.close()
      scanSqlite(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const command = fileURLToPath(new URL("../../../../tools/testkit/src/holdpoint/command-process.ts", import.meta.url))
/** The environment of a machine without a screen. */
const plain = { ...compiled, NO_COLOR: "1", HOLDPOINT_AS: "alice", HOLDPOINT_OPEN_BROWSER: "false" }

/** Starts the command. Resolves when it has printed its address. */
async function start(
  args: readonly string[],
  env: Environment,
): Promise<{ readonly address: string; readonly end: () => Promise<void> }> {
  const { PATH = "", HOME = "" } = process.env
  const child = spawn(process.execPath, [...args], {
    env: { PATH, HOME, ...plain, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const output: string[] = []
  const printedLink = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on("line", (line) => {
      output.push(line)
      hear("printed", "the command over HTTP", line)
      const address = / are at (http:\S+)\/mcp /.exec(line)?.[1]
      if (address !== undefined) printedLink.resolve(address)
    })
  void ended.then(() => printedLink.reject(new Error(`The command did not start:\n${output.join("\n")}`)))
  return {
    address: await printedLink.promise,
    async end() {
      child.kill("SIGTERM")
      await ended
    },
  }
}

/** Opens the link, agrees on our page, and grants access at Nextcloud. */
export async function connect(page: Page, link: string, user: string, password?: string): Promise<void> {
  await page.goto(link)
  await page.getByRole("button", { name: /^Continue to Nextcloud/ }).click()
  await grantInTab(page, user, password)
  // Our page continues by itself, which would undo a navigation before that.
  await page.getByRole("heading", { name: /^(Connected as|A different account)/ }).waitFor()
}

/** At Nextcloud, in the window that Continue opened: signs in if necessary, and grants access. */
export async function grantInTab(page: Page, user: string, password?: string): Promise<void> {
  const isLogin = (tab: Page): boolean => tab.url().includes("/login/v2/flow")
  const tab = await vi.waitUntil(() => page.context().pages().find(isLogin), { timeout: 15_000 })
  await grantAt(tab, user, password)
  await tab.getByText("Your client should now be connected").waitFor()
  await tab.close()
}

/** Signs in on Nextcloud's login page, and grants access. */
export async function grantAt(tab: Page, user: string, password?: string): Promise<void> {
  await tab.getByRole("link", { name: "Log in" }).click()
  await signInAt(tab, user, password)
  await tab.getByRole("button", { name: "Grant access" }).click()
}

/** Signs in at Nextcloud, unless this browser is still signed in. */
export async function signInAt(tab: Page, user: string, password = `${user}-Pass-2026`): Promise<void> {
  const name = tab.getByLabel("Account name")
  const grant = tab.getByRole("button", { name: /^(Grant access|Allow)$/ })
  await name.or(grant).waitFor()
  if (!(await name.isVisible())) return
  await name.fill(user)
  await tab.getByLabel("Password").fill(password)
  await tab.getByRole("button", { name: "Log in" }).click()
}
