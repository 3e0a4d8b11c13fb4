// A receiver of webhooks. It verifies signatures by itself, as docs/webhooks.md describes them, and some of them hang.

import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout as pass } from "node:timers/promises"
import type { Random } from "./random.ts"

export interface Received {
  readonly id: string
  readonly type: string
  readonly question: string
  readonly status: string
  readonly said?: string | undefined
}

export interface StormReceiver {
  readonly url: string
  readonly hangs: boolean
  readonly received: readonly Received[]
  /** How many requests had a wrong signature. */
  readonly refused: number
  verifyWith(secret: string): void
  close(): void
}

export async function openReceiver({
  random,
  hangs,
}: {
  readonly random: Random
  readonly hangs: boolean
}): Promise<StormReceiver> {
  const received: Received[] = []
  let key = Buffer.alloc(0)
  let refused = 0
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => "")
    // Takes the connection and never answers.
    if (hangs && random.chance(0.7)) return
    const { headers } = request
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
    const expected = createHmac("sha256", key).update(signed).digest()
    const isRight = String(headers["webhook-signature"])
      .split(" ")
      .some((one) => isEqual(Buffer.from(one.replace("v1,", ""), "base64"), expected))
    if (!isRight) {
      refused++
      return void response.writeHead(401).end()
    }
    const { type, data } = JSON.parse(body) as {
      readonly type: string
      readonly data: Readonly<Record<string, string>>
    }
    const { id: question = "", status = "", said } = data
    received.push({ id: String(headers["webhook-id"]), type, question, status, said })
    await pass(random.between(0, 60))
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    ...{ hangs, received },
    get refused() {
      return refused
    },
    verifyWith(secret) {
      key = Buffer.from(secret.replace("whsec_", ""), "base64")
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const isEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)
