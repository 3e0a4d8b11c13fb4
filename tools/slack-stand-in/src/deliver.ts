// Delivers events and interactions to the app, as signed HTTP requests or envelopes of socket mode. A delivery without
// acknowledgement within three seconds is an error; an event is then retried three times.
// https://docs.slack.dev/apis/events-api#retries

import { createHmac } from "node:crypto"
import type { Fields } from "./limits/check.ts"
import type { DeliveryResult, Sockets } from "./sockets.ts"
import type { Team, World } from "./world.ts"

export const acknowledgeMs = 3000
const retryDelaysMs = [0, 60_000, 300_000]

/** The addresses of the app. Without addresses, deliveries use socket mode. */
export interface Target {
  readonly events?: string
  readonly interactivity?: string
}

export interface Delivery {
  readonly id: string
  readonly event: Fields
  readonly attempt: number
  readonly outcome: "acknowledged" | string
}

export interface Courier {
  aim(target: Target): void
  event(team: Team, event: Fields): void
  /** Delivers the same event again, as Slack does when it received no acknowledgement. */
  again(id: string): Promise<DeliveryResult>
  interaction(payload: Fields): Promise<DeliveryResult>
  challenge(): Promise<boolean>
  /** Resolves when every event that was sent is acknowledged or waits for its next try. */
  idle(): Promise<void>
  readonly deliveries: readonly Delivery[]
  close(): void
}

export function createCourier(world: World, sockets: Sockets): Courier {
  const deliveries: Delivery[] = []
  const envelopes = new Map<string, Fields>()
  const underway = new Set<Promise<unknown>>()
  let target: Target = {}
  let isOpen = true

  async function sendEvent(envelope: Fields, attempt: number, reason?: string): Promise<DeliveryResult> {
    const retried =
      attempt > 0 ? { "x-slack-retry-num": String(attempt), "x-slack-retry-reason": reason ?? "http_timeout" } : {}
    const delivered =
      target.events === undefined
        ? await sockets.send(
            {
              type: "events_api",
              payload: envelope,
              accepts_response_payload: false,
              retry_attempt: attempt,
              retry_reason: reason ?? "",
            },
            acknowledgeMs,
          )
        : await post(target.events, "application/json", JSON.stringify(envelope), retried)
    deliveries.push({
      id: envelope.event_id as string,
      event: envelope.event as Fields,
      attempt,
      outcome: delivered.kind === "failed" ? delivered.reason : delivered.kind,
    })
    return delivered
  }

  async function tryEvent(envelope: Fields, attempt: number, reason?: string): Promise<void> {
    const delivered = await sendEvent(envelope, attempt, reason)
    const delay = retryDelaysMs[attempt]
    if (delivered.kind === "acknowledged" || delivered.reason === "no_retry" || delay === undefined || !isOpen) return
    world.clock.after(delay, () => track(tryEvent(envelope, attempt + 1, delivered.reason)))
  }

  function track(work: Promise<unknown>): void {
    underway.add(work)
    void work.finally(() => underway.delete(work))
  }

  async function post(url: string, type: string, body: string, headers: Readonly<Record<string, string>> = {}) {
    const control = new AbortController()
    const cancel = world.clock.after(acknowledgeMs, () => control.abort())
    try {
      const answer = await fetch(url, {
        method: "POST",
        redirect: "manual",
        signal: control.signal,
        headers: {
          "content-type": type,
          "user-agent": "Slackbot 1.0 (stand-in)",
          ...signature(world, body),
          ...headers,
        },
        body,
      })
      const text = await answer.text()
      if (answer.status >= 200 && answer.status < 300) return { kind: "acknowledged", body: jsonOf(text) } as const
      const reason = answer.headers.get("x-slack-no-retry") === "1" ? "no_retry" : "http_error"
      return { kind: "failed", reason } as const
    } catch {
      return { kind: "failed", reason: control.signal.aborted ? "http_timeout" : "connection_failed" } as const
    } finally {
      cancel()
    }
  }

  return {
    deliveries,
    aim(next) {
      target = next
    },
    event(team, event) {
      if (target.events === undefined && sockets.count === 0) return
      const envelope = envelopeOf(world, team, event)
      envelopes.set(envelope.event_id as string, envelope)
      track(tryEvent(envelope, 0))
    },
    again(id) {
      return sendEvent(envelopes.get(id) as Fields, 1, "http_timeout")
    },
    interaction(payload) {
      if (target.interactivity === undefined) {
        return sockets.send({ type: "interactive", payload, accepts_response_payload: true }, acknowledgeMs)
      }
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
      return post(target.interactivity, "application/x-www-form-urlencoded", body)
    },
    async challenge() {
      if (target.events === undefined) return false
      const challenge = world.newId("challenge")
      const body = JSON.stringify({ token: "stand-in", challenge, type: "url_verification" })
      const answered = await post(target.events, "application/json", body)
      if (answered.kind === "failed") return false
      return answered.body === challenge || (answered.body as { challenge?: unknown })?.challenge === challenge
    },
    async idle() {
      while (underway.size > 0) await Promise.all(underway)
    },
    close() {
      isOpen = false
    },
  }
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function signature(
  world: World,
  body: string,
  at = Math.floor(world.clock.now() / 1000),
): Record<string, string> {
  const base = `v0:${at}:${body}`
  return {
    "x-slack-request-timestamp": String(at),
    "x-slack-signature": `v0=${createHmac("sha256", world.signingSecret).update(base).digest("hex")}`,
  }
}

function envelopeOf(world: World, team: Team, event: Fields): Fields {
  return {
    token: "stand-in",
    team_id: team.id,
    context_team_id: team.id,
    api_app_id: world.appId,
    event,
    type: "event_callback",
    event_id: world.newId("Ev"),
    event_time: Math.floor(world.clock.now() / 1000),
    authorizations: [
      { enterprise_id: null, team_id: team.id, user_id: team.botUser, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: false,
    event_context: world.newId("EC"),
  }
}

function jsonOf(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
