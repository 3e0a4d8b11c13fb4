// A program that needs a person's GitHub account: they connect it on a page, and the program continues.
import { toOwner } from "@holdpoint/accounts"
import { github } from "@holdpoint/accounts/providers"
import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { serve } from "@hono/node-server"

const { PORT: port = "4650", GITHUB_ID: clientId = "", GITHUB_SECRET: clientSecret = "" } = process.env
const server = { storage: createMemoryStorage(), keys: withNewKey(), publicUrl: `http://127.0.0.1:${port}` }
const owner = toOwner({ tenant: "local", issuer: "local", subject: "ada" })
const people = { from: "local", user: "ada" } as const
const { vault, fetch } = await createHoldpoint({ ...server, people, providers: [github({ clientId, clientSecret })] })
serve({ fetch, hostname: "127.0.0.1", port: Number(port) }, () => console.log(`${server.publicUrl}/inbox`))
const account = await vault.connect({ owner, provider: "github", scopes: ["read:user"], requester: { id: "digest" } })
console.log(await (await account.fetch("https://api.github.com/user")).json())
