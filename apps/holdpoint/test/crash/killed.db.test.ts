// The process is killed anywhere between the provider's answer and the finished question. The next process on the same
// database finishes the question, with one connection, and redeems no code twice.

import type { Provider } from "@holdpoint/accounts"
import { person } from "@holdpoint/nextcloud-stand-in"
import { createFakeNextcloud } from "@holdpoint/testkit/nextcloud/server"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect, it } from "vitest"
import type { PointName } from "./points.ts"
import { type AskedQuestion, consent, openScene, type RunningProcess, type Scene, type SceneState } from "./scene.ts"

/** By then, the leases of a dead process have expired. */
const later = { aheadMs: 61_000 }

let scene: Scene
afterEach(() => scene.close())

const look = (running: RunningProcess, { id }: AskedQuestion): Promise<SceneState> =>
  running.tell({ do: "look", need: scene.need, id })
const wait = (running: RunningProcess, { id }: AskedQuestion) => running.tell({ do: "wait", id })
const connect = (running: RunningProcess) =>
  running.tell({ do: "connect", need: scene.need, call: `${scene.notes.issuer}/me` })
const redeemed = (): readonly (number | undefined)[] =>
  scene.notes.tokenRequests.filter(({ grant }) => grant === "authorization_code").map(({ status }) => status)

/** A call waits, alice approves, and the process dies at this point. */
async function dieAt(point: PointName): Promise<AskedQuestion> {
  const first = await scene.start({ dieAt: point })
  const asked = await first.tell<AskedQuestion>({ do: "ask", need: scene.need })
  const waiting = connect(first).catch(() => "gone")
  expect(await consent(scene, asked.link)).toBeUndefined()
  expect(await waiting).toBe("gone")
  expect(await first.gone).toBe("SIGKILL")
  return asked
}

const one = { connections: ["active"], flows: ["finished"], connected: 1, problems: [] }

describe("a process that is killed after", () => {
  const unfinished: readonly (readonly [PointName, "sqlite" | "postgres"])[] = [
    ["the grant was stored as pending", "sqlite"],
    ["the flow was noted as exchanged", "sqlite"],
    ["the account became known", "sqlite"],
    ["the connection became usable, and before its question is completed", "sqlite"],
    ["the connection became usable, and before its question is completed", "postgres"],
    ["the question was completed, and before its flow is finished", "sqlite"],
  ]
  it.each(unfinished)("%s finishes the question after its restart, on %s", async (point, engine) => {
    scene = await openScene(engine)
    const asked = await dieAt(point)
    const second = await scene.start(later)
    expect(await connect(second)).toEqual({ account: "alice", status: 200 })
    expect(await wait(second, asked)).toMatchObject({ status: "completed" })
    await second.tell({ do: "work" })
    expect(await look(second, asked)).toEqual({ question: "completed", ...one })
    expect(redeemed()).toEqual([200])
    expect((await scene.alice.open(asked.link)).text).toContain("Connected as")
  })

  const lost: readonly (readonly [PointName, readonly number[]])[] = [
    ["the answer was taken, and before its code is redeemed", []],
    ["the code was redeemed, and before the grant is stored", [200]],
  ]
  it.each(lost)("%s lets the person try again after its restart", async (point, before) => {
    scene = await openScene("sqlite")
    const asked = await dieAt(point)
    expect(redeemed()).toEqual(before)
    const second = await scene.start(later)
    await second.tell({ do: "work" })
    expect(await look(second, asked)).toMatchObject({ question: "accepted", connections: [], flows: ["failed"] })
    const page = await scene.alice.open(asked.link)
    expect(page.text).toContain("interrupted")
    const waiting = connect(second)
    const done = await consent(scene, asked.link)
    expect(done?.text).toContain("Connected as")
    expect(await waiting).toEqual({ account: "alice", status: 200 })
    expect(await look(second, asked)).toMatchObject({ question: "completed", connections: ["active"], connected: 1 })
    expect(redeemed()).toEqual([...before, 200])
  })

  verifies(
    "consent.survives-a-crash",
    "the answer was taken fails the question with the reason interrupted, without another try",
    async () => {
      scene = await openScene("sqlite")
      const asked = await dieAt("the answer was taken, and before its code is redeemed")
      const second = await scene.start(later)
      await second.tell({ do: "work" })
      await second.stop()
      const third = await scene.start({ aheadMs: 4 * 60_000 })
      expect(await wait(third, asked)).toMatchObject({ status: "failed", reason: { code: "interrupted" } })
      expect(redeemed()).toEqual([])
    },
  )

  const merging: readonly PointName[] = [
    "it was noted which connection takes the new grant over",
    "the new grant was taken over",
    "the pending grant was removed",
  ]
  it.each(merging)("%s finishes the second question of the same account after its restart", async (point) => {
    scene = await openScene("sqlite")
    const first = await scene.start({ dieAt: point })
    const asked = await first.tell<AskedQuestion>({ do: "ask", need: scene.need })
    // By another program: the needs of one program become one question.
    const another = { ...scene.need, requester: { id: "another", name: "Another" } }
    const again = await first.tell<AskedQuestion>({ do: "ask", need: another })
    expect((await consent(scene, asked.link))?.text).toContain("Connected as")
    expect(await consent(scene, again.link)).toBeUndefined()
    expect(await first.gone).toBe("SIGKILL")
    const second = await scene.start(later)
    expect(await wait(second, again)).toMatchObject({ status: "completed" })
    await second.tell({ do: "work" })
    expect(await look(second, again)).toEqual({ question: "completed", ...one, connected: 2 })
    expect(await connect(second)).toEqual({ account: "alice", status: 200 })
    expect(redeemed()).toEqual([200, 200])
  })

  verifies(
    "consent.survives-a-crash",
    "the app password of a login flow was stored finishes the question after its restart",
    async () => {
      // The address of alice at the identity provider, by which the account is known to be hers.
      const cloud = await createFakeNextcloud({ users: [person("alice", { email: "alice@example.com" })] })
      const provider: Provider = { kind: "login_flow", id: "cloud", name: "Cloud", api: [cloud.url], server: cloud.url }
      scene = await openScene("sqlite", [provider], { provider: "cloud", scopes: [] })
      try {
        const first = await scene.start({ dieAt: "the grant was stored as pending" })
        const asked = await first.tell<AskedQuestion>({ do: "ask", need: scene.need })
        const waiting = await scene.alice.submit(await scene.alice.open(asked.link), { do: "continue" })
        cloud.grant(/href="([^"]*\/login\/v2\/flow\/[^"]*)"/.exec(waiting.text)?.[1] ?? "", "alice")
        expect(await first.gone).toBe("SIGKILL")
        const second = await scene.start(later)
        const call = `${cloud.url}/ocs/v2.php/cloud/user`
        const connected = second.tell({ do: "connect", need: scene.need, call })
        expect(await connected).toEqual({ account: "alice", status: 200 })
        expect(await wait(second, asked)).toMatchObject({ status: "completed" })
        expect(await look(second, asked)).toEqual({ question: "completed", ...one })
        expect(cloud.access("alice")).toHaveLength(1)
      } finally {
        await cloud.close()
      }
    },
  )
})
