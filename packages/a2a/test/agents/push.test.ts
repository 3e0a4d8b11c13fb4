// Push notifications: their content, order and number, and the secrets that no other party gets.

import { TaskState } from "@a2a-js/sdk"
import { RequestMalformedError } from "@a2a-js/sdk/errors"
import { describe, expect, it } from "vitest"
import { pushWork } from "../../src/agents/push/delivery.ts"
import { mostOfTask } from "../../src/agents/push/push.ts"
import { conforms } from "./conforms.ts"
import { configOf, openPushWorld, openReceiver, pushedTask as task } from "./push-receiver.ts"

const { TASK_STATE_INPUT_REQUIRED: asks, TASK_STATE_COMPLETED: done } = TaskState
const minute = 60_000

describe("a receiver of notifications", () => {
  conforms(
    ["PUSH-DELIVER-001", "PUSH-DELIVER-002", "PUSH-DELIVER-003"],
    "gets each state of a task in order, with the registered headers",
    async () => {
      const [world, receiver] = [openPushWorld(), await openReceiver()]
      const push = world.start()
      const authentication = { scheme: "Bearer", credentials: "the-credentials" }
      await push.create(task, configOf(receiver.url, { token: "the-token", authentication }), "1.0")
      await world.until(() => receiver.received.length === 1)
      push.taskChanged(world.change(2, asks))
      await world.until(() => receiver.received.length === 2)
      push.taskChanged(world.change(3, done))
      await world.until(() => receiver.received.length === 3)
      expect(receiver.states()).toEqual(["TASK_STATE_WORKING", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_COMPLETED"])
      expect(receiver.received[0]?.headers).toMatchObject({
        ...{ authorization: "Bearer the-credentials", "x-a2a-notification-token": "the-token" },
        "content-type": "application/a2a+json",
      })
      await world.clock.advance(60 * minute)
      expect(receiver.received).toHaveLength(3)
    },
  )

  it("on this machine can also be reached by its name, where loopback is allowed", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    await world.start().create(task, configOf(receiver.url.replace("127.0.0.1", "localhost")), "1.0")
    await world.until(() => receiver.received.length === 1)
  })

  it("that registered over 0.3 gets notifications in the format of 0.3", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    await world.start().create(task, configOf(receiver.url), "0.3")
    await world.until(() => receiver.received.length === 1)
    expect(receiver.received[0]?.body).toMatchObject({ kind: "status-update", status: { state: "working" } })
    expect(receiver.received[0]?.headers["content-type"]).toContain("application/json")
  })

  it("that fails gets a retry after a pause, with the newest state only", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    const push = world.start()
    receiver.answerWith({ status: 500 })
    await push.create(task, configOf(receiver.url), "1.0")
    await world.until(async () => (await lastStatus(world)) === 500)
    push.taskChanged(world.change(2, asks))
    await world.clock.advance(4_000)
    expect(receiver.received).toHaveLength(1)
    await world.clock.advance(2_000)
    await world.until(() => receiver.received.length === 2)
    expect(receiver.states()).toEqual(["TASK_STATE_WORKING", "TASK_STATE_INPUT_REQUIRED"])
  })

  it("that sends Retry-After gets the retry after that time", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    receiver.answerWith({ status: 503, headers: { "retry-after": "600" } })
    await world.start().create(task, configOf(receiver.url), "1.0")
    await world.until(async () => (await lastStatus(world)) === 503)
    await world.clock.advance(9 * minute)
    expect(receiver.received).toHaveLength(1)
    await world.clock.advance(2 * minute)
    await world.until(() => receiver.received.length === 2)
  })

  it("that always fails gets no more retries for this state, and gets the next state", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    const push = world.start()
    receiver.answerWith(...Array.from({ length: 9 }, () => ({ status: 500 })))
    await push.create(task, configOf(receiver.url), "1.0")
    for (let attempt = 1; attempt <= 9; attempt++) {
      await world.until(async () => receiver.received.length === attempt && (await isFree(world)))
      await world.clock.advance(((await only(world))?.dueAt ?? 0) - world.clock.now())
    }
    expect(receiver.received).toHaveLength(9)
    push.taskChanged(world.change(2, done))
    await world.until(() => receiver.received.length === 10)
  })

  it("that answers 410 gets no more notifications, and its configuration is removed", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    const push = world.start()
    receiver.answerWith({ status: 410 })
    await push.create(task, configOf(receiver.url), "1.0")
    await world.until(async () => (await push.get(task, "c1")) === undefined)
    push.taskChanged(world.change(2, done))
    await world.clock.advance(60 * minute)
    expect(receiver.received).toHaveLength(1)
  })

  it("cannot redirect a notification to another address", async () => {
    const [world, receiver, other] = [openPushWorld(), await openReceiver(), await openReceiver()]
    receiver.answerWith({ status: 307, headers: { location: other.url } })
    await world.start().create(task, configOf(receiver.url), "1.0")
    await world.until(async () => (await lastStatus(world)) === 307)
    expect(other.received).toHaveLength(0)
  })
})

describe("notifications of several processes", () => {
  it("are sent once for each state, by the one that has the lease", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    const processes = [world.start(), world.start(), world.start()]
    await processes[0]?.create(task, configOf(receiver.url), "1.0")
    await world.until(async () => receiver.received.length === 1 && (await isFree(world)))
    const changed = world.change(2, done)
    for (const one of processes) one.taskChanged(changed)
    await world.until(async () => (await only(world))?.isOver === true)
    expect(receiver.received).toHaveLength(2)
  })

  it("are checked once a minute by one process, and after a second when a later change is known", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    await world.start().create(task, configOf(receiver.url), "1.0")
    await world.until(async () => receiver.received.length === 1 && (await isFree(world)))
    const config = await only(world)
    if (config === undefined) throw new Error("the configuration is gone")
    const dueAfterRest = (current: typeof config) => {
      const next = pushWork.transition(current, { type: "rest", number: 1, isOver: false }, config.dueAt)
      return next === "remove" ? next : next?.dueAt
    }
    expect(dueAfterRest({ ...config, dueAt: config.dueAt + 1 })).toBeUndefined()
    expect(dueAfterRest(config)).toBe(config.dueAt + minute)
    expect(dueAfterRest({ ...config, heard: 2 })).toBe(config.dueAt + 1_000)
  })

  it("are sent by the next process when the first one is gone, even for a change that no process noticed", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    const first = world.start()
    await first.create(task, configOf(receiver.url), "1.0")
    await world.until(async () => receiver.received.length === 1 && (await isFree(world)))
    await first.close()
    world.change(2, done)
    world.start()
    await world.clock.advance(2 * minute)
    await world.until(() => receiver.received.length === 2)
  })

  it("are sent again immediately when a process stops in the middle of an attempt", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    const first = world.start()
    receiver.answerWith({ status: 204, when: new Promise<void>(() => {}) })
    await first.create(task, configOf(receiver.url), "1.0")
    await world.until(() => receiver.received.length === 1)
    const closing = first.close()
    await world.clock.advance(2_500)
    await closing
    expect(await only(world)).toMatchObject({ attempts: 0 })
    world.start()
    await world.until(() => receiver.received.length === 2)
  })
})

describe("a push notification configuration", () => {
  it("is listed in pages, replaced by one with its id, and removed twice without an error", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    const push = world.start()
    for (const id of ["a", "b", "c"]) await push.create(task, configOf(receiver.url, { id }), "1.0")
    await push.create(task, configOf(`${receiver.url}/2`, { id: "b" }), "1.0")
    const first = await push.list(task, { size: 2, token: "" })
    const second = await push.list(task, { size: 2, token: first.nextPageToken })
    expect([first.configs.length, second.configs.length, second.nextPageToken]).toEqual([2, 1, ""])
    expect((await push.get(task, "b"))?.url).toBe(`${receiver.url}/2`)
    await push.remove(task, "b")
    await push.remove(task, "b")
    expect(await push.get(task, "b")).toBeUndefined()
    expect(await push.get({ ...task, id: "t2" }, "a")).toBeUndefined()
  })

  it("gets an id when the client sends none, and is removed with its task", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    const push = world.start()
    const { id } = await push.create(task, configOf(receiver.url, { id: "" }), "1.0")
    expect(id).not.toBe("")
    await world.until(async () => receiver.received.length === 1 && (await isFree(world)))
    world.removeTask()
    await world.clock.advance(2 * minute)
    await world.until(async () => (await push.get(task, id)) === undefined)
  })

  it("has a limit for each task", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    const push = world.start()
    for (let n = 0; n < mostOfTask; n++) await push.create(task, configOf(receiver.url, { id: `c${n}` }), "1.0")
    await expect(push.create(task, configOf(receiver.url, { id: "more" }), "1.0")).rejects.toThrow("at most")
  })

  it.each([
    "http://127.0.0.1:9/",
    "http://[::1]:9/",
    "http://10.0.0.8/",
    "http://169.254.169.254/latest/meta-data",
    "https://localhost/",
    "http://receiver.example.org/",
    "https://name:word@receiver.example.org/",
    "ftp://receiver.example.org/",
    "not an address",
    "",
  ])("is refused for the address %s", async (url) => {
    const push = openPushWorld({ network: {} }).start()
    await expect(push.create(task, configOf(url), "1.0")).rejects.toBeInstanceOf(RequestMalformedError)
  })

  it("may have a private address that the operator allows", async () => {
    const push = openPushWorld({ network: { alsoAllow: ["10.0.0.0/8"] } }).start()
    await push.create(task, configOf("http://10.0.0.8/"), "1.0")
  })

  it.each([
    { token: "two\r\nlines" },
    { token: "x".repeat(2_001) },
    { authentication: { scheme: "Bearer x", credentials: "y" } },
    { authentication: { scheme: "Bearer", credentials: "two\nlines" } },
    { authentication: { scheme: "", credentials: "y" } },
    { id: "with space" },
  ])("is refused with invalid values: %j", async (more) => {
    const push = openPushWorld().start()
    const creation = push.create(task, configOf("https://receiver.example.org/", more), "1.0")
    await expect(creation).rejects.toBeInstanceOf(RequestMalformedError)
  })

  it("seals the address, the token and the credentials, and never returns the last two", async () => {
    const [world, receiver] = [openPushWorld(), await openReceiver()]
    const push = world.start()
    const authentication = { scheme: "Bearer", credentials: "canary-credentials" }
    const requested = configOf(`${receiver.url}?key=canary-key`, { token: "canary-token", authentication })
    receiver.answerWith({ status: 500 })
    const configs = [await push.create(task, requested, "1.0"), await push.get(task, "c1")]
    await world.until(async () => (await lastStatus(world)) === 500)
    expect(JSON.stringify([configs, await push.list(task, { size: 0, token: "" })])).not.toMatch(/canary-(token|cred)/)
    expect(configs[1]?.url).toBe(requested.url)
    expect(JSON.stringify([await only(world), world.reports])).not.toContain("canary")
  })
})

type World = ReturnType<typeof openPushWorld>
const only = async (world: World) => (await world.records.list({ tenant: task.tenant, owner: task.id, limit: 1 }))[0]
const lastStatus = async (world: World) => (await only(world))?.last?.status
/** Whether no process works on it, and the result of the last attempt is noted. */
const isFree = async (world: World) => (await only(world))?.lease === undefined
