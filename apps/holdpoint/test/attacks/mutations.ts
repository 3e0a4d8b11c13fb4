// The important checks, each with a change that removes the check and the test that must then fail. `npm run
// test:mutations` makes the changes one by one in a copy of the tree.

import type { Mutation } from "./mutation.ts"
import { a2aMutations } from "./mutations-of-a2a.ts"
import { a2aBindingMutations } from "./mutations-of-a2a-bindings.ts"
import { a2aClientMutations } from "./mutations-of-a2a-client.ts"
import { advisoryMutations } from "./mutations-of-advisories.ts"
import { approvalMutations } from "./mutations-of-approvals.ts"
import { authorityMutations } from "./mutations-of-authority.ts"
import { callMutations } from "./mutations-of-calls.ts"
import { completionMutations } from "./mutations-of-completions.ts"
import { confirmationMutations } from "./mutations-of-confirmations.ts"
import { consentMutations } from "./mutations-of-consents.ts"
import { deliveryMutations } from "./mutations-of-delivery.ts"
import { editorMutations } from "./mutations-of-editors.ts"
import { emailMutations } from "./mutations-of-email.ts"
import { eventMutations } from "./mutations-of-events.ts"
import { faultMutations } from "./mutations-of-faults.ts"
import { flowMutations } from "./mutations-of-flows.ts"
import { inboxMutations } from "./mutations-of-inbox.ts"
import { localMutations } from "./mutations-of-local.ts"
import { mcpMutations } from "./mutations-of-mcp.ts"
import { mcpClientMutations } from "./mutations-of-mcp-client.ts"
import { mcpRequestMutations } from "./mutations-of-mcp-requests.ts"
import { mcpServerMutations } from "./mutations-of-mcp-servers.ts"
import { nextcloudMutations } from "./mutations-of-nextcloud.ts"
import { otherSiteMutations } from "./mutations-of-other-sites.ts"
import { pageMutations } from "./mutations-of-pages.ts"
import { pressMutations } from "./mutations-of-presses.ts"
import { programMutations } from "./mutations-of-programs.ts"
import { questionMutations } from "./mutations-of-questions.ts"
import { reachMutations } from "./mutations-of-reach.ts"
import { recipientMutations } from "./mutations-of-recipients.ts"
import { runCallerMutations } from "./mutations-of-run-callers.ts"
import { runClientMutations } from "./mutations-of-run-clients.ts"
import { runMutations } from "./mutations-of-runs.ts"
import { scriptMutations } from "./mutations-of-scripts.ts"
import { shellCallMutations } from "./mutations-of-shell-calls.ts"
import { shellCatalogueMutations } from "./mutations-of-shell-catalogue.ts"
import { shellResultMutations } from "./mutations-of-shell-results.ts"
import { shellSdkMutations } from "./mutations-of-shell-sdk.ts"
import { slackMutations } from "./mutations-of-slack.ts"
import { storeMutations } from "./mutations-of-store.ts"
import { talkMutations } from "./mutations-of-talk.ts"
import { telemetryMutations } from "./mutations-of-telemetry.ts"
import { toolMutations } from "./mutations-of-tools.ts"
import { upstreamMutations } from "./mutations-of-upstream.ts"
import { vaultMutations } from "./mutations-of-vault.ts"
import { visitMutations } from "./mutations-of-visit.ts"
import { voteMutations } from "./mutations-of-votes.ts"
import { webhookMutations } from "./mutations-of-webhooks.ts"
import { widgetMutations } from "./mutations-of-widget.ts"
import { wordMutations } from "./mutations-of-words.ts"

export const mutations: readonly Mutation[] = [
  ...questionMutations,
  ...reachMutations,
  ...recipientMutations,
  ...wordMutations,
  ...slackMutations,
  ...storeMutations,
  ...faultMutations,
  ...pageMutations,
  ...pressMutations,
  ...inboxMutations,
  ...localMutations,
  ...vaultMutations,
  ...upstreamMutations,
  ...flowMutations,
  ...consentMutations,
  ...visitMutations,
  ...voteMutations,
  ...widgetMutations,
  ...mcpMutations,
  ...mcpClientMutations,
  ...a2aClientMutations,
  ...deliveryMutations,
  ...emailMutations,
  ...mcpRequestMutations,
  ...mcpServerMutations,
  ...callMutations,
  ...authorityMutations,
  ...nextcloudMutations,
  ...toolMutations,
  ...telemetryMutations,
  ...runClientMutations,
  ...runMutations,
  ...advisoryMutations,
  ...programMutations,
  ...webhookMutations,
  ...a2aBindingMutations,
  ...runCallerMutations,
  ...otherSiteMutations,
  ...completionMutations,
  ...a2aMutations,
  ...talkMutations,
  ...editorMutations,
  ...eventMutations,
  ...approvalMutations,
  ...confirmationMutations,
  ...scriptMutations,
  ...shellCallMutations,
  ...shellCatalogueMutations,
  ...shellResultMutations,
  ...shellSdkMutations,
]
