// Notifies the other tabs of this browser who is signed in now. Tabs share the session, but not what they have read and the drafts.

/** Null for nobody. */
type PersonId = string | null

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('cardstock.session')

export function notifyOtherTabs(personId: PersonId): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only pages of this origin
  channel?.postMessage(personId)
}

export function followOtherTabs(listener: (personId: PersonId) => void): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === null || typeof data === 'string') listener(data)
  })
}
