// Who the issuer is, and what it can do.
import type { LiveIssuer } from '@cardstock/sdk'
import { capitalised } from '~/lib/capitalised.ts'
import { Money } from '~/ui/money.tsx'
import { Facts, Panel } from '~/ui/page.tsx'

const KINDS: Readonly<Record<string, string>> = {
  issue: 'cards',
  topup: 'top-ups',
  service: 'services',
  invoice: 'deposits',
  card_status: 'freezing and closing cards',
}

export function Summary({ issuer }: { issuer: LiveIssuer }) {
  const { provider, mode, protocol, kinds, cardModes, invoiceMinimum, state } = issuer
  return (
    <Panel title="Issuer">
      <Facts
        facts={[
          ['Provider', provider ?? 'Not reported'],
          ['Money', mode === 'live' ? 'Real money' : mode === 'test' ? 'Test money only' : 'Not reported'],
          ['Carries out', capitalised(kinds.map((kind) => KINDS[kind] ?? kind).join(', ')) || 'Not reported'],
          ['Money on a card', cardModes.map((cardMode) => MODES[cardMode] ?? cardMode).join(', ') || 'Not reported'],
          invoiceMinimum === null ? undefined : ['Smallest deposit', <Money key="minimum" value={invoiceMinimum} />],
          ['Protocol', protocol ?? 'Not reported'],
          state === null ? undefined : ['Events waiting to reach this server', state.eventsWaiting],
        ]}
      />
    </Panel>
  )
}

const MODES: Readonly<Record<string, string>> = {
  balance: 'A balance of its own',
  limit: 'A spending limit, not a balance',
}
