// Attacks with webhooks: requests to internal addresses, and forged requests to receivers.

import { verifies } from "@holdpoint/testkit/verifies"
import { openReceiver, verify } from "@holdpoint/testkit/webhooks/receiver"
import { describe, expect, it } from "vitest"
import { endpointKind } from "../src/records.ts"
import { openWorld } from "./world.ts"

const day = 86_400_000

describe("the address of a webhook", () => {
  verifies.each("webhook.guarded")([
    "http://127.0.0.1/",
    "https://127.0.0.1/",
    "https://localhost/",
    "https://[::1]/",
    "https://0x7f.1/",
    "https://10.0.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://[fe80::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://intranet/",
    "https://cloud.internal/",
    "http://hooks.example/",
    "https://user:secret@hooks.example/",
    "ftp://hooks.example/",
    "file:///etc/passwd",
    "https://hooks.example/#fragment",
    "not an address",
  ])("cannot be %s", async (url) => {
    const { addProgram, endpoints } = await openWorld({ network: {} })
    const program = await addProgram("deployer")
    await expect(endpoints.set(program, { url })).rejects.toMatchObject({ code: "invalid_config" })
    expect(await endpoints.get(program.id)).toBeUndefined()
  })

  it("may be in a private network if the operator allows it", async () => {
    const { addProgram, endpoints } = await openWorld({ network: { alsoAllow: ["10.0.0.0/8"] } })
    const program = await addProgram("deployer")
    expect(await endpoints.set(program, { url: "http://10.0.0.1/hook" })).toMatchObject({
      endpoint: { state: "active" },
    })
  })

  it("is resolved for each attempt: a name that resolves to this machine is refused", async () => {
    const victim = await openReceiver()
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }]
    const { startProcess, addProgram, endpoints, ask, until } = await openWorld({ network: { lookup } })
    const program = await addProgram("deployer")
    const { endpoint } = await endpoints.set(program, { url: `https://rebinding.example:${victim.port}/hook` })
    await startProcess()
    await ask(program)
    await until(async () => (await endpoints.deliveries(endpoint, 1))[0]?.last?.problem === "refused_address")
    expect([victim.received, victim.refused]).toEqual([[], []])
  })
})

describe("a request to a receiver", () => {
  async function openSent() {
    const world = await openWorld()
    await world.startProcess()
    const program = await world.addProgram("deployer")
    const { secret } = await world.setEndpoint(program)
    await world.ask(program)
    await world.until(() => world.receiver.received.length === 1)
    const [sent] = world.receiver.received
    if (sent === undefined) throw new Error("The receiver has no request.")
    return { ...world, program, secret, sent, now: world.runtime.now() }
  }

  verifies(
    "webhook.signed",
    "fails verification when it is altered, replayed or signed with another secret",
    async () => {
      const { sent, secret, now } = await openSent()
      const { text, headers } = sent
      expect(verify([secret], text, headers, now)).toBeUndefined()
      expect(verify([secret], text.replace("Deploy?", "Delete?"), headers, now)).toMatch(/signature/)
      expect(verify([secret], text, { ...headers, "webhook-id": "msg_other" }, now)).toMatch(/signature/)
      const later = { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }
      expect(verify([secret], text, later, now)).toMatch(/signature/)
      expect(verify([secret], text, headers, now + 6 * 60_000)).toMatch(/too old/)
      expect(verify(["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"], text, headers, now)).toMatch(/signature/)
    },
  )

  verifies(
    "webhook.rotated",
    "is signed with both secrets for a day after a rotation, and then with the new one only",
    async () => {
      const { sent, secret, program, endpoints, ask, until, receiver, runtime } = await openSent()
      const next = await endpoints.rotate(program.id)
      receiver.secrets.push(next ?? "")
      await ask(program)
      await until(() => receiver.received.length === 2)
      const both = receiver.received[1] ?? sent
      expect(verify([secret], both.text, both.headers, runtime.now())).toBeUndefined()
      expect(verify([next ?? ""], both.text, both.headers, runtime.now())).toBeUndefined()
      await runtime.advance(day)
      await ask(program)
      await until(() => receiver.received.length === 3)
      const one = receiver.received[2] ?? sent
      expect(verify([next ?? ""], one.text, one.headers, runtime.now())).toBeUndefined()
      expect(verify([secret], one.text, one.headers, runtime.now())).toMatch(/signature/)
    },
  )

  it("is signed with a secret that the database stores only sealed", async () => {
    const { storage, program, secret, hub } = await openSent()
    const stored = JSON.stringify([
      await storage.records(endpointKind).get(program.id),
      await hub.trail({ tenant: "acme", limit: 100 }),
    ])
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(secret.slice("whsec_".length))
  })
})
