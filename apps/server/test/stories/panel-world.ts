// Where a newcomer tries the panel: everything of `holdpoint demo`, and a browser that opens its page.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { systemRuntime } from "@holdpoint/sdk"
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core"
import { type Demo, startDemo } from "../../src/demo/start.ts"
import { openPeople, type People } from "./people.ts"

export interface Panel extends People {
  readonly demo: Demo
  /** Ends it, and starts it again where it was. */
  restart(): Promise<void>
  readonly problems: string[]
  /** Somebody opens the page. */
  visit(options?: BrowserContextOptions): Promise<Newcomer>
  close(): Promise<void>
}

export interface Newcomer {
  readonly page: Page
  readonly stage: Locator
  /** The window that opens because of what is done. */
  popup(doing: () => Promise<unknown>): Promise<Page>
  /** Which client the panel plays. */
  play(revision: string, declares?: string): Promise<void>
  /** From the card that asks for it. */
  signIn(user?: string): Promise<void>
  /** Opens the page that the panel's prompt leads to, in the window that the prompt opens. */
  openPrompt(): Promise<Page>
}

export async function openPanel(browser: Browser): Promise<Panel> {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-panel-"))
  const folder = join(home, "demo")
  mkdirSync(folder)
  const problems: string[] = []
  const report = (doing: string, error: unknown): void => void problems.push(`${doing}: ${error}`)
  const start = (port: number): Promise<Demo> =>
    startDemo({ folder, host: "localhost", port, runtime: systemRuntime, report })
  let demo = await start(0)
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
      await page.goto(publicUrl)
      return newcomer(page, people)
    },
    // That nobody was signed in is told in the console too.
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

/** On our page and then at the Nextcloud, in a tab of its own. */
export async function sayYes(window: Page, user = "alice"): Promise<void> {
  await window.getByRole("button", { name: "Continue to" }).click()
  const [cloud] = await Promise.all([
    window.context().waitForEvent("page"),
    window.getByRole("link", { name: "Open Nextcloud" }).click(),
  ])
  await cloud.getByRole("link", { name: "Log in" }).click()
  await cloud.getByLabel("Account name").fill(user)
  await cloud.getByLabel("Password").fill(`${user}-Pass-2026`)
  await cloud.getByRole("button", { name: "Log in" }).click()
  await cloud.getByRole("button", { name: "Grant access" }).click()
  await cloud.getByText("Your client should now be connected").waitFor()
  await cloud.close()
}

export const listNotes = ({ page }: Newcomer): Promise<void> =>
  page.getByRole("button", { name: "List my notes" }).click()

export async function seesNotes({ stage }: Newcomer): Promise<void> {
  await stage.getByRole("heading", { name: "List my notes: done" }).waitFor()
  await stage.getByRole("cell", { name: "Zwetschgenkuchen" }).waitFor()
}

/** What most stories begin with. */
export function story(panel: () => Panel) {
  /** As far as the prompt. */
  const arriveAtPrompt = async (revision?: string, declares?: string): Promise<Newcomer> => {
    const newcomer = await panel().visit()
    if (revision !== undefined) await newcomer.play(revision, declares)
    await listNotes(newcomer)
    await newcomer.signIn()
    await newcomer.stage.locator(".prompt").waitFor()
    return newcomer
  }
  return {
    arriveAtPrompt,
    look: (page: Page): Promise<void> => panel().look(page, "A Nextcloud that asks"),
    /** Signed in and connected, with the notes on the screen. */
    async connected(revision?: string, declares?: string): Promise<Newcomer> {
      const newcomer = await arriveAtPrompt(revision, declares)
      await sayYes(await newcomer.openPrompt())
      await seesNotes(newcomer)
      return newcomer
    },
  }
}
