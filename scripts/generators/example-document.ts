// The document from which the clients of examples/go and examples/python are generated: the calls that the programs make.
import { keepCalls, type WholeDocument } from './keep-calls.ts'

const CALLS = ['createOperation', 'createWebhookEndpoint', 'creditSandboxFunds', 'deleteWebhookEndpoint']
const EVENTS = ['OperationEvent']

export function makeExampleDocument(document: WholeDocument): object {
  return keepCalls(document, CALLS, EVENTS)
}
