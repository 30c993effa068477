// The part of @usebruno/lang that the tests use; the package has no types of its own.
declare module '@usebruno/lang' {
  interface BruRequest {
    http: { method: string; url: string; auth: string; body: string }
    headers?: { name: string; value: string; enabled: boolean }[]
    body?: { json?: string }
  }
  export function bruToJsonV2(text: string): BruRequest
  export function bruToEnvJsonV2(text: string): { variables: { name: string; value: string; secret: boolean }[] }
  export function collectionBruToJson(text: string): { auth?: unknown }
}
