// Webhooks notify a program about its question: a receiver in Node and one in Python check the signatures, and refuse
// events that are altered, old or signed with another secret. Checks every step.

import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { createClient } from "@holdpoint/client"
import { createMemoryStorage } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { createPrograms } from "@holdpoint/server/identity"
import { createEndpoints, webhooks } from "@holdpoint/webhooks"
import { startServer } from "holdpoint/serve"
import { Webhook } from "standardwebhooks"
import { createReceiver, type QuestionEvent } from "./receiver.ts"

const storage = createMemoryStorage()
const keys = withNewKey()
const server = await startServer({
  ...{ storage, keys, host: "127.0.0.1", port: 0 },
  parts: [webhooks({ allowLoopback: true })],
  people: { from: "local", user: "alice", tenant: "local" },
})
const alice = { tenant: "local", issuer: "local", subject: "alice" }
const programs = createPrograms({ storage, runtime: server.runtime })
const { program, key } = await programs.add({ tenant: "local", name: "Shop", may: { to: "anyone", modes: ["form"] } })
const endpoints = createEndpoints({
  ...{ storage, sealer: createSealer(keys), runtime: server.runtime, network: { allowLoopback: true } },
})

try {
  const heard: QuestionEvent[] = []
  const delivered = Promise.withResolvers<void>()
  // The receiver needs the secret, and the endpoint the address: the address is set first, without a receiver.
  const { secret = "" } = await endpoints.set(program, { url: "http://127.0.0.1:9/" })
  const receiver = createReceiver(secret, (event) => {
    heard.push(event)
    if (event.type === "question.settled") delivered.resolve()
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await endpoints.set(program, { url })
  await askAndAnswer()
  await delivered.promise
  assert.deepEqual(
    heard.map(({ type, data }) => [type, data.status]),
    [
      ["question.asked", "pending"],
      ["question.settled", "completed"],
    ],
  )
  await refusesForgeries(url, secret)
  receiver.close()
  console.log("node:   heard of the question and of its end, and refused forgeries")

  if (spawnSync("python3", ["--version"]).status === 0) {
    const env = { ...process.env, WEBHOOK_SECRET: secret }
    const python = spawn("python3", [join(import.meta.dirname, "receiver.py")], { env })
    const lines = createInterface(python.stdout)[Symbol.asyncIterator]()
    const read = async (): Promise<string> => String((await lines.next()).value)
    const at = `http://127.0.0.1:${await read()}/`
    await endpoints.set(program, { url: at })
    await askAndAnswer()
    assert.deepEqual([await read(), await read()], ["question.asked pending", "question.settled completed"])
    await refusesForgeries(at, secret)
    python.kill()
    console.log("python: heard of the question and of its end, and refused forgeries")
  } else console.log("python3 is missing here: its receiver was not run")
} finally {
  await server.close()
  await storage.close()
}

async function askAndAnswer(): Promise<void> {
  const { questions } = createClient({ url: server.publicUrl, token: key })
  const { issuer, subject } = alice
  const { id } = await questions.ask({ message: "Refund order 7?", confirm: true, audience: { issuer, subject } })
  await server.hub.answer(id, { by: alice, action: "accept", content: { confirmed: "yes" }, via: "web" })
}

/** Expects the status 400 for an altered body, an old time and another secret. */
async function refusesForgeries(url: string, secret: string): Promise<void> {
  const body = JSON.stringify({ type: "question.settled", data: { id: "7", status: "completed", said: "yes" } })
  const send = async (signedBody: string, at: Date, by: string): Promise<number> => {
    const headers = {
      "webhook-id": "msg_forged",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(by).sign("msg_forged", at, signedBody),
    }
    return (await fetch(url, { method: "POST", headers, body })).status
  }
  const now = new Date()
  assert.equal(await send("{}", now, secret), 400)
  assert.equal(await send(body, new Date(now.getTime() - 10 * 60_000), secret), 400)
  assert.equal(await send(body, now, `whsec_${Buffer.alloc(32, 7).toString("base64")}`), 400)
}
