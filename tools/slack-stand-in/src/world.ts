// The state of the stand-in: workspaces with people and channels, messages, open views, triggers and response
// addresses.

import { randomBytes } from "node:crypto"
import type { Clock } from "./clock.ts"
import type { Fields } from "./limits/check.ts"

export interface User {
  readonly id: string
  readonly name: string
  readonly email?: string
}

export interface Channel {
  readonly id: string
  readonly name: string
  readonly kind: "channel" | "im"
  readonly members: readonly string[]
}

export interface Message {
  readonly ts: string
  readonly channel: string
  readonly user: string
  readonly text: string
  readonly bot_id?: string
  readonly blocks?: readonly Fields[]
  readonly attachments?: readonly Fields[]
  readonly thread_ts?: string
  readonly metadata?: Fields
  readonly edited?: { readonly user: string; readonly ts: string }
  /** Markdown, as it was posted or streamed. */
  readonly markdown?: string
  readonly streaming_state?: "in_progress" | "completed" | "errored"
  /** The only person who sees the message. It disappears when their client is reloaded. */
  readonly onlyFor?: string
}

export interface OpenView {
  readonly id: string
  readonly user: string
  readonly hash: string
  readonly view: Fields
  /** The errors of the person's last submission, by block. */
  readonly errors: Readonly<Record<string, string>>
}

export interface Team {
  readonly id: string
  readonly domain: string
  readonly name: string
  readonly botToken: string
  readonly botUser: string
  readonly botId: string
  readonly users: Map<string, User>
  readonly channels: Map<string, Channel>
  readonly messages: Message[]
  readonly views: Map<string, OpenView>
  /** The app's status text in a thread, by channel and thread. */
  readonly statuses: Map<string, string>
}

export interface Trigger {
  readonly team: string
  readonly user: string
  readonly at: number
  isUsed: boolean
}

export interface ResponseAddress {
  readonly team: string
  readonly channel: string
  readonly user: string
  readonly ts: string
  readonly thread?: string
  readonly at: number
  uses: number
}

export interface World {
  readonly clock: Clock
  readonly appId: string
  readonly signingSecret: string
  readonly appToken: string
  readonly teams: Map<string, Team>
  readonly triggers: Map<string, Trigger>
  readonly responses: Map<string, ResponseAddress>
  /** Notifies the listeners for changes. */
  changed(): void
  readonly listeners: Set<() => void>
  newTs(): string
  newId(prefix: string): string
}

export interface TeamSeed {
  readonly id?: string
  readonly domain?: string
  readonly botToken?: string
  readonly users?: readonly User[]
  readonly channels?: readonly { readonly id: string; readonly name: string }[]
}

const people: readonly User[] = [
  { id: "U0ALICE", name: "alice", email: "alice@example.com" },
  { id: "U0BOB", name: "bob", email: "bob@example.com" },
]

export function createWorld(clock: Clock, seeds: readonly TeamSeed[], secrets: Partial<Secrets>): World {
  const listeners = new Set<() => void>()
  let last = 0
  let count = 0
  return {
    clock,
    appId: "A0HOLDPOINT",
    signingSecret: secrets.signingSecret ?? randomBytes(16).toString("hex"),
    appToken: secrets.appToken ?? `xapp-1-${randomBytes(8).toString("hex")}`,
    teams: new Map(seeds.map((seed, index) => createTeam(seed, index)).map((team) => [team.id, team])),
    triggers: new Map(),
    responses: new Map(),
    listeners,
    changed() {
      for (const listener of [...listeners]) listener()
    },
    newTs() {
      last = Math.max(last + 1, clock.now() * 1000)
      return `${Math.floor(last / 1_000_000)}.${String(last % 1_000_000).padStart(6, "0")}`
    },
    newId(prefix) {
      count += 1
      return `${prefix}${String(count).padStart(8, "0")}`
    },
  }
}

export interface Secrets {
  readonly signingSecret: string
  readonly appToken: string
}

function createTeam(seed: TeamSeed, index: number): Team {
  const users = seed.users ?? people
  const channels = seed.channels ?? [{ id: "C0GENERAL", name: "general" }]
  const suffix = index === 0 ? "" : String(index + 1)
  const botUser = `U0BOT${suffix}`
  const members = [...users.map(({ id }) => id), botUser]
  return {
    id: seed.id ?? `T0TEAM${suffix}`,
    domain: seed.domain ?? `team${suffix}`,
    name: seed.domain ?? `Team ${index + 1}`,
    botToken: seed.botToken ?? `xoxb-${randomBytes(12).toString("hex")}`,
    botUser,
    botId: `B0BOT${suffix}`,
    users: new Map([...users, { id: botUser, name: "holdpoint" }].map((user) => [user.id, user])),
    channels: new Map(channels.map(({ id, name }) => [id, { id, name, kind: "channel", members }])),
    messages: [],
    views: new Map(),
    statuses: new Map(),
  }
}

/** The direct messages of the app and one person. They exist from their first use. */
export function directChannel(team: Team, user: string): Channel {
  const id = `D${user.slice(1)}`
  const existing = team.channels.get(id)
  if (existing !== undefined) return existing
  const channel: Channel = { id, name: "directmessage", kind: "im", members: [user, team.botUser] }
  team.channels.set(id, channel)
  return channel
}

export function messageAt(team: Team, channel: string, ts: string): Message | undefined {
  return team.messages.find((message) => message.channel === channel && message.ts === ts)
}

export function replaceMessage(team: Team, next: Message): void {
  const index = team.messages.findIndex(({ channel, ts }) => channel === next.channel && ts === next.ts)
  team.messages[index] = next
}

/** A message as the Web API and events show it. */
export function toWire(team: Team, message: Message, withMetadata = false): Fields {
  const { channel: _channel, onlyFor: _onlyFor, markdown: _markdown, metadata, ...rest } = message
  const replies = team.messages.filter(
    ({ thread_ts, ts, channel }) => thread_ts === message.ts && ts !== message.ts && channel === message.channel,
  )
  return {
    type: "message",
    ...rest,
    team: team.id,
    ...(replies.length > 0 ? { thread_ts: message.ts, reply_count: replies.length } : {}),
    ...(withMetadata && metadata !== undefined ? { metadata } : {}),
  }
}
