// Builds agent cards, which clients read before they call an agent. Cards are public, so they contain only the title
// and the description of the configuration: no instructions, tools or models.

import { AgentCard, type AgentInterface } from "@a2a-js/sdk"
import type { AgentConfig } from "@holdpoint/agents"
import { elicitationExtension } from "../extension.ts"
import type { BoundInterface } from "./binding.ts"
import { a2aPath, a2aResource } from "./callers.ts"
import { inputModes } from "./message.ts"

export const cardPath = "/.well-known/agent-card.json"

export interface CardFacts {
  readonly name: string
  readonly agent: AgentConfig
  readonly version: string
  readonly publicUrl: string
  readonly interfaces: readonly BoundInterface[]
  readonly hasPush: boolean
  /** The URL of the built-in authorization server, if it issues tokens for the agents. */
  readonly issuer: string | undefined
  /** What callers send as their bearer token, in words. */
  readonly token: string
}

export const agentUrl = (publicUrl: string, name: string): string => `${publicUrl}${a2aPath}/${name}`

export function toCard({ name, agent, version, publicUrl, interfaces, hasPush, issuer, token }: CardFacts): AgentCard {
  const { title = name, description = `The agent “${title}”.` } = agent
  const url = agentUrl(publicUrl, name)
  return {
    ...{ name: title, description, version, provider: undefined, signatures: [] },
    supportedInterfaces: interfaces.map((one): AgentInterface => ({ url, tenant: "", ...one })),
    capabilities: {
      ...{ streaming: true, pushNotifications: hasPush, extendedAgentCard: false },
      extensions: [
        {
          uri: elicitationExtension,
          description: "Questions to people as forms and links in data parts, answered by messages with the task's id",
          ...{ required: false, params: undefined },
        },
      ],
    },
    ...security({ issuer, token }),
    defaultInputModes: [...inputModes],
    defaultOutputModes: ["text/plain"],
    skills: [
      {
        ...{ id: name, name: title, description, tags: ["agent"], examples: [] },
        ...{ inputModes: [], outputModes: [], securityRequirements: [] },
      },
    ],
  }
}

/** The security schemes. Clients find the token endpoint through the metadata of RFC 9728 and RFC 8414. */
function security({ issuer, token: description }: Pick<CardFacts, "issuer" | "token">) {
  const scopes = Object.keys(a2aResource.scopes)
  const bearer = {
    scheme: {
      $case: "httpAuthSecurityScheme" as const,
      value: { description, scheme: "Bearer", bearerFormat: "" },
    },
  }
  if (issuer === undefined)
    return { securitySchemes: { bearer }, securityRequirements: [{ schemes: { bearer: { list: [] } } }] }
  const oauth = {
    scheme: {
      $case: "oauth2SecurityScheme" as const,
      value: {
        ...{ description, oauth2MetadataUrl: `${issuer}/.well-known/oauth-authorization-server` },
        flows: {
          flow: {
            $case: "authorizationCode" as const,
            value: {
              ...{ authorizationUrl: `${issuer}/oauth/authorize`, tokenUrl: `${issuer}/oauth/token` },
              ...{ refreshUrl: "", scopes: { ...a2aResource.scopes }, pkceRequired: true },
            },
          },
        },
      },
    },
  }
  return { securitySchemes: { oauth }, securityRequirements: [{ schemes: { oauth: { list: scopes } } }] }
}

/** The card as JSON. */
export const cardText = (card: AgentCard): string => JSON.stringify(AgentCard.toJSON(card))
