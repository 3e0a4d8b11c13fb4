// `holdpoint nextcloud account`: opens the account page when no client shows one.

import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { createWorld, type World } from "@holdpoint/testkit/holdpoint/world"
import { expect, it, onTestFinished } from "vitest"
import { connect, grantByLoginFlow, run, sendTo, serve, startCloud, titlesIn, visiting } from "./stage.ts"

async function openAccount(world: World, argv: readonly string[]) {
  const running = world.start(["nextcloud", "account", ...argv])
  onTestFinished(async () => {
    running.stop()
    await running.done
  })
  const [, link = ""] = await running.prints(/Your account: +(http\S+) \(code \w{3}-\w{3}\)/)
  const browser = openJarBrowser()
  return { ...running, browser, page: await browser.open(link) }
}

it("nextcloud account shows what a local client was allowed, and revokes it", { timeout: 20_000 }, async () => {
  const [cloud, world] = [await startCloud(), createWorld()]
  const served = await serve(cloud, {}, { world })
  const client = await connect(served.mcp, {}, visiting)
  sendTo(client, (link) => grantByLoginFlow(cloud, link, "alice"))
  expect(titlesIn(await client.callTool({ name: "nc_notes_list_notes", arguments: {} }))).not.toEqual([])
  await client.close()
  served.stop()
  await served.done
  const { browser, page, stop, done } = await openAccount(world, ["--host", cloud.url, "--database", "nextcloud.db"])
  expect(page.text).toContain("Alice Example")
  expect(page.text).toContain("Read your notes")
  expect(page.text).toContain("Before something is removed")
  expect(page.text).not.toContain("for a project")
  expect(cloud.access("alice")).toHaveLength(1)
  const form = page.text.slice(page.text.lastIndexOf("<form", page.text.indexOf('/disconnect"')))
  const left = await browser.submit({ ...page, text: form }, {})
  expect(left.text).toContain("Nothing is connected")
  await expect.poll(() => cloud.access("alice"), { interval: 10 }).toHaveLength(0)
  stop()
  expect(await done).toMatchObject({ code: 0, err: "" })
})

it("nextcloud account says where to look instead when there is no account page", async () => {
  const host = ["account", "--host", "http://127.0.0.1:9"]
  const single = await run(host, { NEXTCLOUD_USERNAME: "alice", NEXTCLOUD_PASSWORD: "an-app-password" })
  expect(single).toMatchObject({ code: 2, err: expect.stringContaining("nextcloud.confirm") })
  const people = { OIDC_DISCOVERY_URL: "https://id.example.org", OIDC_CLIENT_ID: "c", OIDC_CLIENT_SECRET: "a-secret" }
  const signedIn = await run([...host, "--public-url", "https://mcp.example.org"], people)
  expect(signedIn).toMatchObject({ code: 2, err: expect.stringContaining("https://mcp.example.org/account") })
  const passing = await run(host, { ...people, ENABLE_OFFLINE_ACCESS: "false" })
  expect(passing).toMatchObject({ code: 2, err: expect.stringContaining("callers bring their own tokens") })
})
