// The stage of the panel's stories: all servers of `holdpoint demo`, and a browser that opens its page.

import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { toOwner } from "@holdpoint/accounts"
import { systemRuntime } from "@holdpoint/hub"
import { freePort } from "@holdpoint/testkit/free-port"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core"
import { type Demo, type DemoOptions, startDemo } from "../../src/demo/start.ts"
import { openPeople, type People, signInByForm } from "./people.ts"

export interface Panel extends People {
  readonly demo: Demo
  /** Stops the demo, and starts it again at the same address. */
  restart(): Promise<void>
  readonly problems: string[]
  /** Opens the page in a new browser. */
  visit(options?: BrowserContextOptions): Promise<Newcomer>
  /** Opens the page in a new browser in which alice has signed in before. */
  visitAsAlice(): Promise<Newcomer>
  /** Connects the account of alice at the Nextcloud, to read her notes, in a browser without a screen. */
  connectAlice(): Promise<void>
  close(): Promise<void>
}

export interface Newcomer {
  readonly page: Page
  readonly stage: Locator
  /** Runs an action, and returns the popup that it opens. */
  popup(doing: () => Promise<unknown>): Promise<Page>
  /** Chooses the kind of client that the panel acts as. */
  play(revision: string, declares?: string): Promise<void>
  /** Signs in from the prompt. */
  signIn(user?: string): Promise<void>
  /** Opens the page of the panel's prompt, in a popup. */
  openPrompt(): Promise<Page>
}

export async function openPanel(browser: Browser, options: Pick<DemoOptions, "questionMs"> = {}): Promise<Panel> {
  const home = makeScratchFolder("panel")
  const folder = join(home, "demo")
  mkdirSync(folder)
  const problems: string[] = []
  const report = (doing: string, error: unknown): void => void problems.push(`${doing}: ${error}`)
  const start = (port: number): Promise<Demo> =>
    startDemo({ ...options, folder, host: "localhost", port, runtime: systemRuntime, report })
  let demo = await start(await freePort())
  const { publicUrl } = demo.server
  const people = openPeople(browser, publicUrl)
  return {
    ...people,
    problems,
    get demo() {
      return demo
    },
    async restart() {
      await demo.close()
      demo = await start(Number(new URL(publicUrl).port))
    },
    async visit(options) {
      const page = await people.arrive(options)
      await page.goto(`${publicUrl}/try`)
      return newcomer(page, people)
    },
    async visitAsAlice() {
      const page = await people.arriveAs("alice")
      await page.goto(`${publicUrl}/try`)
      await page.getByText("Signed in as alice").waitFor()
      return newcomer(page, people)
    },
    async connectAlice() {
      const { vault } = demo.server
      const owner = toOwner({ tenant: "local", issuer: `${publicUrl}/idp`, subject: "alice" })
      const requester = { id: "try-it-here", name: "Nextcloud tools" }
      const need = { owner, requester, provider: "nextcloud", scopes: ["notes.read"] }
      const question = await vault.ask(need)
      const jar = await signInByForm(publicUrl, "alice")
      const page = await jar.open(question.mode === "url" ? question.url : "")
      const waiting = await jar.submit(page, { do: "continue" })
      const login = /<a class="button primary" href="([^"]+)"/.exec(waiting.text)?.[1]
      if (login === undefined) throw new Error(`This page has no link to Nextcloud: ${waiting.text}`)
      demo.standIn.grant(login, "alice")
      await vault.connect(need)
    },
    // The browser logs the missing sign-in, which is expected.
    leave: async () => (await people.leave()).filter((words) => !/status of 401 /.test(words)),
    async close() {
      await demo.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function newcomer(page: Page, people: People): Newcomer {
  const stage = page.locator("#stage")
  const popup = async (doing: () => Promise<unknown>): Promise<Page> => {
    const [opened] = await Promise.all([page.context().waitForEvent("page"), doing()])
    return opened
  }
  return {
    ...{ page, stage, popup },
    async play(revision, declares) {
      await page.getByText("This page as a client").click()
      await page.getByLabel("Protocol revision").selectOption(revision)
      if (declares !== undefined) await page.getByLabel("What it can show").selectOption(declares)
    },
    async signIn(user = "alice") {
      const window = await popup(() => stage.getByRole("button", { name: "Sign in" }).click())
      const closed = window.waitForEvent("close")
      await people.signIn(window, user)
      await closed
    },
    openPrompt: () => popup(() => stage.getByRole("button", { name: "Open the page" }).click()),
  }
}

/** Agrees on our page, and then at the Nextcloud, in the window that our page opens. */
export async function sayYes(window: Page, user = "alice"): Promise<void> {
  const [cloud] = await Promise.all([
    window.context().waitForEvent("page"),
    window.getByRole("button", { name: "Continue to" }).click(),
  ])
  await cloud.getByRole("button", { name: `Grant access as ${user}` }).click()
  await cloud.getByText("Your client should now be connected").waitFor()
  await cloud.close()
}

export const listNotes = ({ page }: Newcomer): Promise<void> =>
  page.getByRole("button", { name: "List my notes" }).click()

export async function seesNotes({ stage }: Newcomer): Promise<void> {
  await stage.getByRole("heading", { name: "List my notes: done" }).waitFor()
  await stage.getByRole("cell", { name: "Zwetschgenkuchen" }).waitFor()
}

/** The beginning of most tests. */
export function story(panel: () => Panel) {
  /** Opens the panel as alice, and goes to its prompt. */
  const arriveAtPrompt = async (revision?: string, declares?: string): Promise<Newcomer> => {
    const newcomer = await panel().visitAsAlice()
    if (revision !== undefined) await newcomer.play(revision, declares)
    await listNotes(newcomer)
    await newcomer.stage.locator(".prompt").waitFor()
    return newcomer
  }
  return {
    arriveAtPrompt,
    look: (page: Page): Promise<void> => panel().look(page, "A Nextcloud that asks"),
    /** Opens the panel, signs in and connects, until the notes appear. */
    async connected(revision?: string, declares?: string): Promise<Newcomer> {
      const [newcomer] = await Promise.all([panel().visitAsAlice(), panel().connectAlice()])
      if (revision !== undefined) await newcomer.play(revision, declares)
      await listNotes(newcomer)
      await seesNotes(newcomer)
      return newcomer
    },
  }
}
