// A stand-in for Slack, and servers with agents on one storage. All of them share a clock, which advances only while no
// request is under way.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { AgentsConfig } from "@holdpoint/agents"
import { createMemoryStorage, isSamePerson, type Principal, type Storage } from "@holdpoint/hub"
import type { Part, PartServer } from "@holdpoint/server/parts"
import {
  type SlackApp,
  type SlackMessageEvent,
  type SlackMessageListener,
  type SlackPart,
  slack as slackPartOf,
} from "@holdpoint/slack"
import { createThreadOf } from "@holdpoint/slack/agents"
import {
  createManualClock,
  type Message,
  type Person,
  type SlackStandIn,
  type StandInOptions,
  startSlackStandIn,
} from "@holdpoint/slack-stand-in"
import { createTestClock, type TestClock } from "@holdpoint/testing"
import { getRequestListener } from "@hono/node-server"
import { onTestFinished } from "vitest"
import { type AgentsServer, newKeys, startAgents } from "../../agents/agents-server.ts"
import { hear, noteCanary } from "../../canaries/note.ts"
import { createFreezer } from "./freezer.ts"

export const alice: Principal = { tenant: "local", issuer: "urn:holdpoint:local", subject: "alice" }
export const bob: Principal = { ...alice, subject: "bob" }

export interface TalkWorld {
  readonly slack: SlackStandIn
  readonly clock: TestClock
  readonly storage: Storage
  readonly alice: Person
  readonly bob: Person
  readonly problems: readonly string[]
  /** Starts a process, which receives Slack's events from then on. */
  start(config: AgentsConfig, options?: StartOptions): Promise<TalkServer>
  /** Advances the clock until `find` returns a value. */
  until<T>(find: () => T | undefined | false | Promise<T | undefined | false>, eachMs?: number): Promise<T>
  /** Advances the clock by this time. */
  pass(ms: number): Promise<void>
  /** The messages of the app in the thread of this message. */
  textsOf(message: Message): readonly string[]
  /** The calls of a method. */
  calls(method: string): SlackStandIn["api"]["calls"]
}

export interface TalkServer extends AgentsServer {
  readonly slack: SlackPart
  /** Delivers a message to the agents, like an event of Slack. */
  receive(message: SlackMessageEvent): Promise<void>
  /** Freezes the process, like SIGSTOP: timers, the store and requests wait until `goOn` is called. */
  freeze(): void
  goOn(): void
}

export interface StartOptions {
  readonly isAimedAt?: boolean
  /** Called before a message is delivered to the agents. */
  readonly received?: () => void
  /** Called before and after each request of this process to Slack, with the method. */
  readonly before?: (method: string) => void
  readonly after?: (method: string) => void
}

const accounts = [["U0ALICE", alice] as const, ["U0BOB", bob] as const]

export interface TalkOptions extends StandInOptions {
  /** Whether the Slack accounts of alice and bob are linked; they are by default. */
  readonly isLinked?: boolean
  /** Whether questions are asked in Slack; they are not by default. */
  readonly isAskedInSlack?: boolean
}

export async function openTalkWorld({
  isLinked = true,
  isAskedInSlack = false,
  ...options
}: TalkOptions = {}): Promise<TalkWorld> {
  const time = createManualClock(Date.UTC(2026, 0, 1))
  const slack = await startSlackStandIn({ clock: time, ...options })
  for (const { botToken } of slack.world.teams.values()) noteCanary("slack_token", botToken)
  noteCanary("slack_signing_secret", slack.signingSecret)
  const clock = createTestClock(time.now())
  const storage = createMemoryStorage()
  const keys = newKeys()
  const problems: string[] = []
  let underWay = 0
  onTestFinished(() => slack.close())

  const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))
  const quiet = async (): Promise<void> => {
    await slack.courier.idle()
    for (let quietTicks = 0; quietTicks < 2; quietTicks = underWay === 0 ? quietTicks + 1 : 0) await tick()
  }
  const pass = async (ms: number): Promise<void> => {
    const step = Math.max(stepMs, ms / 10)
    for (let left = ms; left > 0; left -= step) {
      await quiet()
      time.advance(Math.min(left, step))
      await clock.advance(Math.min(left, step))
    }
    await quiet()
  }
  return {
    ...{ slack, clock, storage, problems, pass },
    alice: slack.as("U0ALICE"),
    bob: slack.as("U0BOB"),
    async start(config, { isAimedAt = true, received, before, after }: StartOptions = {}) {
      const report = (doing: string, error: unknown): void => {
        problems.push(`${doing}: ${error}`)
        hear("report", "a server with agents in Slack", `${doing}: ${error}`)
      }
      const frozen = createFreezer()
      const counted: typeof fetch = async (input, init) => {
        const method = new URL(String(input)).pathname.split("/").at(-1) ?? ""
        before?.(method)
        await frozen.wait()
        underWay += 1
        const answer = await fetch(input, init).finally(() => {
          underWay -= 1
        })
        after?.(method)
        await frozen.wait()
        return answer
      }
      const parts = { storage: frozen.storage(storage), runtime: frozen.runtime(clock), keys, report }
      const slackPart = slackPartOf({
        botTokens: [...slack.world.teams.values()].map(({ botToken }) => botToken),
        ...{ signingSecret: slack.signingSecret, apiUrl: slack.apiUrl, appId: slack.appId },
        fetch: counted as never,
        threadOf: createThreadOf(parts.storage),
      })
      const findPerson: PartServer["findPerson"] = async (person) => {
        const principal = [alice, bob].find((one) => isSamePerson(one, person))
        return principal === undefined ? undefined : { principal, email: `${principal.subject}@example.com` }
      }
      const open: Part["open"] = (partServer) => {
        const { outlet, directory, ...rest } = slackPart.open({ ...partServer, findPerson })
        return isAskedInSlack ? { outlet, directory, ...rest } : rest
      }
      const listeners: SlackMessageListener[] = []
      const onMessage: SlackApp["onMessage"] = (listener) => {
        listeners.push(listener)
        return slackPart.app.onMessage(async (message) => {
          received?.()
          await frozen.wait()
          return listener(message)
        })
      }
      const workspaces: SlackApp["workspaces"] = {
        find: (team) => slackPart.app.workspaces.find(team),
        all: () => slackPart.app.workspaces.all(),
      }
      const app = { onMessage, workspaces }
      const server = await startAgents(config, { ...parts, slack: { app }, parts: [{ name: slackPart.name, open }] })
      const http = createServer(getRequestListener((request) => server.fetch(request)))
      await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
      onTestFinished(() => {
        frozen.goOn()
        http.closeAllConnections()
        http.close()
      })
      const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
      if (isAimedAt) slack.aim({ events: `${url}/slack/events`, interactivity: `${url}/slack/interactivity` })
      for (const [user, person] of isLinked ? accounts : [])
        await slackPart.app.links.link({ team: slack.team().id, user, userName: user, teamName: "Team" }, person)
      const receive = async (message: SlackMessageEvent): Promise<void> => {
        for (const listener of listeners) await listener(message)
      }
      return { ...server, slack: slackPart, receive, freeze: frozen.freeze, goOn: frozen.goOn }
    },
    async until(find, eachMs = stepMs) {
      for (let round = 0; round < mostRounds; round += 1) {
        const match = await find()
        if (match !== undefined && match !== false) return match
        await pass(eachMs)
      }
      const calls = slack.api.calls.map(({ method, args, error = "" }) => `${method} ${args.markdown_text} ${error}`)
      throw new Error(`It was not found. Problems: ${problems.join("; ")}. Calls: ${calls.join("; ")}`)
    },
    textsOf: ({ channel, ts, thread_ts: thread = ts }) =>
      slack
        .team()
        .messages.filter((one) => one.channel === channel && one.thread_ts === thread)
        .filter((one) => one.bot_id !== undefined && one.onlyFor === undefined)
        .map(({ markdown, text }) => markdown ?? text),
    calls: (method) => slack.api.calls.filter((one) => one.method === method),
  }
}

const stepMs = 50
const mostRounds = 400

/** The messages of the app in a thread, as one text. */
export const whole = (texts: readonly string[]): string => texts.join("\n--\n")
