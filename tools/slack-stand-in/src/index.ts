// A stand-in for Slack, for tests and demonstrations. It follows Slack's documents (docs.slack.dev and the types of
// @slack/types) and was never compared with the real Slack. It refuses what the documents say that Slack refuses.

import type { AddressInfo } from "node:net"
import { type Clock, systemClock } from "./clock.ts"
import { type Courier, createCourier, signature, type Target } from "./deliver.ts"
import type { Fields } from "./limits/check.ts"
import { createPages } from "./page.ts"
import { createPerson, type Person } from "./people.ts"
import { createStandInServer } from "./server.ts"
import { createSockets, type Sockets } from "./sockets.ts"
import { createWebApi, type WebApi } from "./web-api.ts"
import { createWorld, type Message, type Secrets, type Team, type TeamSeed, type World } from "./world.ts"

export { createManualClock } from "./clock.ts"
export type { Clock, Message, Person, Target, Team, TeamSeed }

export interface StandInOptions extends Partial<Secrets> {
  readonly port?: number
  readonly clock?: Clock
  readonly teams?: readonly TeamSeed[]
  /** Whether calls are limited as Slack limits them; they are by default. */
  readonly isLimited?: boolean
  /** The events that the app is subscribed to. */
  readonly subscribed?: readonly string[]
}

export interface SlackStandIn {
  readonly url: string
  /** For `slackApiUrl` of a WebClient. */
  readonly apiUrl: string
  readonly appId: string
  readonly signingSecret: string
  readonly appToken: string
  readonly world: World
  /** A workspace, the first one by default. */
  team(id?: string): Team
  /** A person who acts in a workspace, the first one by default. */
  as(user: string, team?: string): Person
  /** Sets the addresses for events and interactions. Without an address they go to the connections of socket mode. */
  aim(target: Target): void
  readonly courier: Courier
  readonly sockets: Sockets
  readonly api: WebApi
  /** The headers of a request that Slack signed, now or at the given time. */
  sign(body: string, atSeconds?: number): Readonly<Record<string, string>>
  /** Resolves with the first value that `find` returns. */
  until<T>(find: () => T | undefined | false): Promise<T>
  close(): Promise<void>
}

const usual = ["app_mention", "message.im"]

export async function startSlackStandIn(options: StandInOptions = {}): Promise<SlackStandIn> {
  const { clock = systemClock, teams = [{}], subscribed = usual } = options
  const world = createWorld(clock, teams, options)
  const host = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`
  const sockets = createSockets(world, host)
  const courier = createCourier(world, sockets)
  const tell = (team: Team, event: Fields): void => {
    if (subscribed.includes(subscriptionOf(event))) courier.event(team, event)
  }
  const api = createWebApi({ world, sockets, tell, isLimited: options.isLimited ?? true })
  const team = (id?: string): Team => {
    const workspace = id === undefined ? [...world.teams.values()][0] : world.teams.get(id)
    if (workspace === undefined) throw new Error(`There is no workspace ${id}.`)
    return workspace
  }
  const as = (user: string, id?: string): Person =>
    createPerson({ world, courier, tell, url: () => `http://${host()}` }, team(id), user)
  const server = createStandInServer({ world, api, sockets, pages: createPages({ world, as }) })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(options.port ?? 0, "127.0.0.1", () => resolve())
  })
  return {
    url: `http://${host()}`,
    apiUrl: `http://${host()}/api/`,
    appId: world.appId,
    signingSecret: world.signingSecret,
    appToken: world.appToken,
    world,
    team,
    as,
    aim: courier.aim,
    courier,
    sockets,
    api,
    sign: (body, at) => signature(world, body, at),
    until: (find) => untilFound(world, find),
    async close() {
      courier.close()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The name by which an app subscribes to an event. */
function subscriptionOf({ type, channel_type: kind }: Fields): string {
  return type === "message" ? (kind === "im" ? "message.im" : "message.channels") : String(type)
}

function untilFound<T>(world: World, find: () => T | undefined | false): Promise<T> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      try {
        const result = find()
        if (result === undefined || result === false) return
        world.listeners.delete(look)
        resolve(result)
      } catch (error) {
        world.listeners.delete(look)
        reject(error)
      }
    }
    world.listeners.add(look)
    look()
  })
}
