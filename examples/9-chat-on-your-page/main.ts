// A site with the chat on its own pages, and a Holdpoint on another origin. Sign in at the site and talk to the assistant.
// With --play, or without a terminal, a scripted alice does it without a browser and checks every step.

import { playAlice } from "./scripted-alice.ts"
import { startExample } from "./start.ts"

const isPlay = process.argv.includes("--play") || !process.stdin.isTTY || !process.stdout.isTTY
const example = await startExample()

if (isPlay) {
  await playAlice(example)
  await example.close()
} else {
  console.log(`Your site:  ${example.site}\nHoldpoint:  ${example.holdpoint}`)
  console.log("Open your site, continue as alice, and say “Plan a trip”. Ctrl+C ends it.")
}
