// `holdpoint webhooks`, and an event from start to end: set by the command, sent by `holdpoint serve`, verified by a receiver.

import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { openReceiver, withStatus } from "@holdpoint/testkit/webhooks/receiver"
import { describe, expect, it } from "vitest"

async function openSet(...flags: readonly string[]) {
  const world = createWorld()
  const added = await world.run(["programs", "add", "deployer"])
  const key = added.out.trim()
  noteCanary("program_key", key)
  const receiver = await openReceiver()
  const set = await world.run(["webhooks", "set", "deployer", receiver.url, ...flags])
  noteCanary("webhook_secret", set.out.trim())
  receiver.secrets.push(set.out.trim())
  return { world, key, receiver, set }
}

describe("holdpoint webhooks", () => {
  it("prints the secret once, and serve sends signed events that deliveries shows", async () => {
    const { world, key, receiver, set } = await openSet()
    expect(set.out).toMatch(/^whsec_[\w+/]{43}=\n$/)
    expect(set.err).toContain("The webhook of deployer sends question.asked, question.opened")
    const serving = world.start(["serve", "--port", "0"])
    const [, address = ""] = await serving.prints(/Holdpoint is at (\S+)/)
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const audience = { issuer: `${address}/idp`, subject: "alice" }
    const body = JSON.stringify({ message: "Deploy?", confirm: true, audience })
    const asked = await fetch(`${address}/api/questions`, { method: "POST", headers, body })
    const { id } = (await asked.json()) as { id: string }
    await expect.poll(() => receiver.types()).toEqual(["question.asked"])
    await fetch(`${address}/api/questions/${id}/cancel`, { method: "POST", headers })
    await expect.poll(() => receiver.types()).toEqual(["question.asked", "question.settled"])
    expect(receiver.received[1]?.data).toMatchObject({ id, status: "cancelled" })
    expect(receiver.received[1]?.data.page).toBe(`${address}/inbox/${id}`)
    const printDeliveries = async () => (await world.run(["webhooks", "deliveries", "deployer"])).out
    await expect.poll(printDeliveries).toMatch(/question\.settled {2}accepted \(status 204\)/)
    expect(await printDeliveries()).toContain(`${receiver.received[1]?.id}, question ${id}, 1 attempt`)
    receiver.answerWith(withStatus(500))
    const next = await fetch(`${address}/api/questions`, { method: "POST", headers, body })
    const { id: second } = (await next.json()) as { id: string }
    await fetch(`${address}/api/questions/${second}/cancel`, { method: "POST", headers })
    await expect
      .poll(printDeliveries)
      .toMatch(/settled {2}waits for its turn[\s\S]*asked {2}again in \d+ \w+ \(status 500\)/)
    serving.stop()
    await serving.done
    const listed = await world.run(["webhooks", "list"])
    expect(listed.out).toContain(`deployer  ${receiver.url}  active`)
    expect(listed.out + (await world.run(["webhooks", "list", "--json"])).out).not.toContain(set.out.trim())
  })

  verifies(
    "webhook.sender",
    "are sent by serve, which has their settings, and by no other process on the database",
    async () => {
      const { world, key, receiver } = await openSet()
      await mkdir(join(world.cwd, "tools"))
      const shell = world.start(["shell", "tools", "--http", "0", "--database", ".holdpoint/holdpoint.db"])
      const [, address = ""] = await shell.prints(/(http:\/\/127[^/\s]+)/)
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
      const body = JSON.stringify({
        message: "Deploy?",
        confirm: true,
        audience: { issuer: "local", subject: "alice" },
      })
      const asked = await fetch(`${address}/api/questions`, { method: "POST", headers, body })
      expect(asked.status, await asked.clone().text()).toBe(201)
      world.start(["serve", "--port", "0"])
      await expect.poll(() => receiver.types()).toEqual(["question.asked"])
      const deliveries = async (): Promise<string> => (await world.run(["webhooks", "deliveries", "deployer"])).out
      await expect.poll(deliveries).toMatch(/question\.asked {2}accepted \(status 204\)[\s\S]*1 attempt/)
    },
  )

  it("sends a test event and repeats a delivery without a server, and prints the results", async () => {
    const { world, receiver } = await openSet("--event", "question.settled")
    const test = await world.run(["webhooks", "test", "deployer"])
    expect([test.code, test.out]).toEqual([0, expect.stringMatching(/endpoint\.tested {2}accepted \(status 204\)/)])
    const id = receiver.received[0]?.id ?? ""
    receiver.answerWith(withStatus(500))
    const again = await world.run(["webhooks", "again", "deployer", id])
    expect([again.code, again.out]).toEqual([1, expect.stringMatching(/again in \d s \(status 500\)/)])
    expect(receiver.received.map((one) => one.id)).toEqual([id, id])
    expect((await world.run(["webhooks", "list"])).out).toMatch(/active, failing for/)
    const unknown = await world.run(["webhooks", "again", "deployer", "msg_other"])
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("There is no delivery “msg_other”.")])
  })

  it("rotates, pauses, resumes and removes a webhook", async () => {
    const { world, receiver } = await openSet()
    const rotated = await world.run(["webhooks", "rotate", "deployer"])
    noteCanary("webhook_secret", rotated.out.trim())
    receiver.secrets.splice(0, 1, rotated.out.trim())
    expect((await world.run(["webhooks", "test", "deployer"])).code).toBe(0)
    await world.run(["webhooks", "pause", "deployer"])
    expect((await world.run(["webhooks", "list"])).out).toContain("paused")
    expect((await world.run(["webhooks", "test", "deployer"])).err).toContain("holdpoint webhooks resume")
    await world.run(["webhooks", "resume", "deployer"])
    expect((await world.run(["webhooks", "list"])).out).toContain("active")
    await world.run(["webhooks", "remove", "deployer"])
    const gone = await world.run(["webhooks", "test", "deployer"])
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining("deployer has no webhook.")])
  })

  it("refuses invalid addresses and words, and says what to do", async () => {
    const { world } = await openSet()
    const strict = { env: { HOLDPOINT_WEBHOOKS_ALLOW_LOOPBACK: "false" } }
    const refused = await world.run(["webhooks", "set", "deployer", "https://10.0.0.1/"], strict)
    expect(refused.err).toContain("url cannot be used: it is not a public address. The operator can allow")
    expect(refused.err).toContain("webhooks.alsoAllow")
    const noWeb = await world.run(["webhooks", "set", "deployer", "ftp://a.example/"])
    expect(noWeb.err).toMatch(/only https is allowed$/m)
    expect((await world.run(["webhooks", "set", "deployer", "http://127.0.0.1/"], strict)).code).toBe(2)
    const wrong = await world.run(["webhooks", "set", "deployer", "https://a.example/", "--event", "question.ended"])
    expect(wrong.err).toContain("contains “question.ended”, which is not an event")
    expect((await world.run(["webhooks", "sett"])).err).toContain("Did you mean set?")
    expect((await world.run(["webhooks", "list", "--limit", "3"])).err).toContain("--limit does nothing")
    expect((await world.run(["webhooks", "pause", "other"])).err).toContain("There is no program “other”.")
  })
})
