// A program that needs a person's GitHub account: they connect it on a page, and the program continues.
import { toOwner } from "@holdpoint/accounts"
import { github } from "@holdpoint/accounts/providers"
import { createMemoryStorage, paths } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { serve } from "@hono/node-server"

const { PORT: port = "4650", GITHUB_ID: clientId = "", GITHUB_SECRET: clientSecret = "" } = process.env
const [ada, people] = [{ tenant: "local", issuer: "local", subject: "ada" }, { from: "local", user: "ada" } as const]
const server = { storage: createMemoryStorage(), keys: withNewKey(), publicUrl: `http://127.0.0.1:${port}`, people }
const site = await createHoldpoint({ ...server, providers: [github({ clientId, clientSecret })] })
serve({ fetch: site.fetch, hostname: "127.0.0.1", port: Number(port) })
const need = { owner: toOwner(ada), provider: "github", scopes: ["read:user"], requester: { id: "digest" } }
console.log(`Connect it at ${site.addresses.to(paths.connect, (await site.vault.ask(need)).id)}`)
const account = await site.vault.connect(need)
console.log(await (await account.fetch("https://api.github.com/user")).json())
