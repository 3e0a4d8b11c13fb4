// Prompts that ask no person: with and without arguments, with a resource, with a picture.

import { completable, type McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import { picture } from "./samples.ts"

const cities = ["paris", "park", "party"]

export function registerPrompts(server: McpServer): void {
  server.registerPrompt("test_simple_prompt", { description: "Takes nothing." }, () => ({
    messages: [{ role: "user", content: { type: "text", text: "This is a simple prompt for testing." } }],
  }))
  const first = completable(z.string().describe("First test argument"), (value) =>
    cities.filter((city) => city.startsWith(value)),
  )
  const argsSchema = z.object({ arg1: first, arg2: z.string().describe("Second test argument") })
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "Takes two arguments.", argsSchema },
    ({ arg1, arg2 }) => ({
      messages: [
        { role: "user", content: { type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` } },
      ],
    }),
  )
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    {
      description: "Takes the address of a resource.",
      argsSchema: z.object({ resourceUri: z.string().describe("URI of the resource to embed") }),
    },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: "user",
          content: {
            type: "resource",
            resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
          },
        },
        { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
      ],
    }),
  )
  server.registerPrompt("test_prompt_with_image", { description: "Has a picture." }, () => ({
    messages: [
      { role: "user", content: { type: "image", data: picture, mimeType: "image/png" } },
      { role: "user", content: { type: "text", text: "Please analyze the image above." } },
    ],
  }))
}
