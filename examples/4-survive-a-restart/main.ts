// Kills a program between its question and the answer, starts it again, and checks that the question stayed the same.
// On a terminal you do the killing; with --play, or without a terminal, the program does everything itself.

import assert from "node:assert/strict"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { createHub, inbox } from "@holdpoint/hub"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { me } from "./me.ts"

const program = join(import.meta.dirname, "release.ts")
const isPlay = process.argv.includes("--play") || !process.stdin.isTTY || !process.stdout.isTTY
const folderArgument = process.argv.slice(2).find((argument) => !argument.startsWith("-"))

if (isPlay) await runScripted(folderArgument ?? (await mkdtemp(join(tmpdir(), "holdpoint-"))))
else await runInteractive(folderArgument ?? join(tmpdir(), "holdpoint-restart"))

async function runScripted(folder: string): Promise<void> {
  const first = start(folder)
  const askedFirst = await first.says("question")
  first.child.kill("SIGKILL")
  await once(first.child, "exit")
  console.log(`first run:  asked ${askedFirst}, then killed`)

  const second = start(folder)
  const askedSecond = await second.says("question")
  console.log(`second run: asked ${askedSecond}`)
  assert.equal(askedSecond, askedFirst, "the second run found the question of the first")

  const storage = await openSqlite(join(folder, "questions.sqlite"))
  const hub = createHub({ storage, outlets: [inbox()] })
  const answered = await hub.answer(askedFirst, { by: me, action: "accept", content: { sure: true } })
  assert.ok(answered.ok)
  const outcome = JSON.stringify({ status: "completed", content: { sure: true } })
  assert.equal(await second.says("outcome"), outcome)
  console.log(`second run: ${outcome}, answered from another process`)

  const third = start(folder)
  assert.equal(await third.says("question"), askedFirst)
  assert.equal(await third.says("outcome"), outcome)
  console.log("third run:  had the answer at once")

  const questions = await hub.list({ tenant: me.tenant, state: "all", limit: 10 })
  assert.equal(questions.length, 1, "exactly one question was ever asked")
  console.log("questions in the database: 1")
  await Promise.all([second, third].map(({ child }) => child.exitCode ?? once(child, "exit")))
  await hub.close()
  await storage.close()
  if (folderArgument === undefined) await rm(folder, { recursive: true })
}

async function runInteractive(folder: string): Promise<void> {
  const child = spawn(process.execPath, [program, folder], { stdio: "inherit" })
  console.log(`Instead of answering, kill the program from another terminal:  kill -9 ${child.pid}`)
  console.log("Then start this again: it is the same question. Answer it, and start once more.")
  console.log(`The question is kept in ${folder}; remove that folder to start over.`)
  await once(child, "exit")
  // A killed prompt leaves the terminal without echo.
  if (child.signalCode !== null) spawnSync("stty", ["sane"], { stdio: "inherit" })
}

function start(folder: string): { readonly child: ChildProcess; says(word: string): Promise<string> } {
  const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "inherit"] })
  // A failed check must leave no process behind that waits for an answer.
  process.once("exit", () => child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    async says(word) {
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        if (line.value.startsWith(`${word} `)) return line.value.slice(word.length + 1)
      }
      throw new Error(`The program ended before it printed “${word}”.`)
    },
  }
}
