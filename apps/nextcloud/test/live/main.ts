// npm run test:live: the tools at a real server. Prints which settings are missing, or else starts Vitest.

import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { readVitestArguments } from "@holdpoint/testkit/command-line"
import { liveVariables, readLiveSettings } from "./settings.ts"

const about = `The tools are tried at a real Nextcloud, as two of its users. Everything that is created there is removed again;
use accounts that were made for tests. NEXTCLOUD_TEST_TOOLSETS=notes,files tries only these.`

const help = `npm run test:live -- [arguments of vitest]

${about}

${Object.entries(liveVariables)
  .map(([name, description]) => `  ${name.padEnd(25)}  ${description}`)
  .join("\n")}

  --help                     show this help; for the flags of Vitest: npx vitest run --help
`

const vitestArguments = await readVitestArguments(help)
const settings = readLiveSettings(process.env)
if ("problems" in settings) {
  process.stderr.write(`${settings.problems.join("\n")}\n\n${about}\n`)
  process.exitCode = 2
} else {
  const vitest = fileURLToPath(new URL("../vitest.mjs", import.meta.resolve("vitest")))
  const child = spawn(process.execPath, [vitest, "run", "--project", "live", ...vitestArguments], {
    cwd: fileURLToPath(new URL("../../../../", import.meta.url)),
    env: { ...process.env, HOLDPOINT_LIVE: "1" },
    stdio: "inherit",
  })
  child.on("exit", (code) => {
    process.exitCode = code ?? 1
  })
}
