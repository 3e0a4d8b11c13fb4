// Three programs that are not TypeScript ask over HTTP: bash with curl, Python with its standard library, and a job of
// GitHub Actions, whose shell lines are run here. A scripted person answers. Checks every step.

import assert from "node:assert/strict"
import { execFile, spawnSync } from "node:child_process"
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@holdpoint/client"
import { createMemoryStorage, type Elicitation } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createPrograms } from "@holdpoint/server/identity"
import { startServer } from "holdpoint/serve"

const here = import.meta.dirname
const storage = createMemoryStorage()
const server = await startServer({
  ...{ storage, keys: withNewKey(), host: "127.0.0.1", port: 0 },
  people: { from: "local", user: "alice", tenant: "local" },
})
const alice = { tenant: "local", issuer: "local", subject: "alice", roles: ["release-manager"] }
// #region key
const programs = createPrograms({ storage, runtime: server.runtime })
const may = { to: { people: [alice], roles: ["release-manager"] }, modes: ["form"] } as const
const { key } = await programs.add({ tenant: "local", name: "Release script", may })
// #endregion
const shared = { HOLDPOINT_URL: server.publicUrl, HOLDPOINT_KEY: key, ROLE: "release-manager" }

const folder = await mkdtemp(join(tmpdir(), "holdpoint-"))
try {
  if (has("curl", "jq", "bash")) {
    const yes = await answering("yes", run("bash", [join(here, "ask.sh")], { ...shared, RUN: "v1.4.0" }))
    assert.match(yes.output, /It is completed: yes, by alice\./)
    assert.equal(yes.code, 0)
    const no = await answering("no", run("bash", [join(here, "ask.sh")], { ...shared, RUN: "v1.4.1" }))
    assert.match(no.output, /It is completed: no, by alice\./)
    assert.equal(no.code, 1)
    console.log("curl:    a yes lets the script go on, a no ends it with 1")

    await copyFile(join(here, "ask.sh"), join(folder, "ask.sh"))
    const summary = join(folder, "summary.md")
    const job = await answering(
      "yes",
      run("bash", ["-eo", "pipefail", "-c", await linesOf("Wait for a yes")], {
        ...shared,
        ...{ RUN: "acme/shop 7", GITHUB_STEP_SUMMARY: summary },
      }),
    )
    assert.equal(job.code, 0, job.output)
    assert.match(await readFile(summary, "utf8"), /by alice/)
    console.log("actions: the shell lines of the job wait for a yes")
  } else console.log("curl, jq or bash is missing here: their programs were not run")

  const typed = askTyped(server.publicUrl, key).then((isYes) => ({ code: 0, output: String(isYes) }))
  assert.equal((await answering("yes", typed)).output, "true")
  console.log("client:  the typed client waits for a yes")

  if (has("python3")) {
    const env = { ...shared, ISSUER: "local", SUBJECT: "alice", RUN: "leave 2026" }
    const answered = await answering(
      { from: "2026-04-01", note: "Skiing" },
      run("python3", [join(here, "ask.py")], env),
    )
    assert.equal(answered.output.trim(), '{"from": "2026-04-01", "note": "Skiing"}')
    console.log("python:  the answer to a form is JSON")
  } else console.log("python3 is missing here: its program was not run")
} finally {
  await server.close()
  await storage.close()
  await rm(folder, { recursive: true, force: true })
}

// #region client
async function askTyped(url: string, token: string): Promise<boolean> {
  const { questions } = createClient({ url, token })
  const audience = { role: "release-manager" }
  const { id } = await questions.ask({ message: "Deploy?", confirm: true, audience, key: "v1.5.0" })
  const { said } = await questions.wait(id)
  return said === "yes"
}
// #endregion

interface Ran {
  readonly code: number
  readonly output: string
}

/** Runs a program that asks, and answers its question. */
async function answering(content: "yes" | "no" | Record<string, string>, running: Promise<Ran>): Promise<Ran> {
  const ended = new AbortController()
  const question = await Promise.race([nextQuestion(ended.signal), running])
  ended.abort()
  assert.ok("id" in question, `It ended without a question: ${"output" in question ? question.output : ""}`)
  const fields = typeof content === "string" ? { confirmed: content } : content
  await server.hub.answer(question.id, { by: alice, action: "accept", content: fields, via: "web" })
  return running
}

async function nextQuestion(signal: AbortSignal): Promise<Elicitation> {
  const find = async () => (await server.hub.list({ tenant: "local", state: "open", limit: 1 }))[0]
  for (let question = await find(); ; question = await find()) {
    if (question !== undefined) return question
    for await (const { kind } of server.hub.watch({ tenant: "local", afterPosition: 0 }, { signal }))
      if (kind === "asked" && (await find()) !== undefined) break
  }
}

function run(program: string, words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, NO_PROXY: "127.0.0.1", ...env }, timeout: 45_000 }
    execFile(program, words, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
    )
  })
}

function has(...names: readonly string[]): boolean {
  return names.every((name) => spawnSync(name, ["--version"]).status === 0)
}

/** The shell lines of a step in the workflow. */
async function linesOf(step: string): Promise<string> {
  const text = await readFile(join(here, "deploy.yml"), "utf8")
  const [, indent = "", block = ""] =
    new RegExp(`- name: ${step}\\n +run: \\|\\n( +)([\\s\\S]*?)\\n\\n`).exec(text) ?? []
  assert.notEqual(block, "", `deploy.yml has no step “${step}”`)
  return block.replaceAll(`\n${indent}`, "\n")
}
