// Who the issuer is, and what it can do.
import type { LiveIssuer } from '@cardstock/sdk'
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
          ['Provider', provider ?? 'It does not say'],
          ['Money', mode === 'live' ? 'Real money' : mode === 'test' ? 'Test only' : 'It does not say'],
          ['Carries out', kinds.map((kind) => KINDS[kind] ?? kind).join(', ') || 'Not known'],
          ['Money of a card', cardModes.map((cardMode) => MODES[cardMode] ?? cardMode).join(', ') || 'It does not say'],
          invoiceMinimum === null ? undefined : ['Smallest deposit', <Money key="minimum" value={invoiceMinimum} />],
          ['Protocol', protocol ?? 'Not known'],
          state === null ? undefined : ['Events not yet accepted here', state.eventsWaiting],
        ]}
      />
    </Panel>
  )
}

const MODES: Readonly<Record<string, string>> = {
  balance: 'A balance of its own',
  limit: 'A limit on what may be spent, not a balance',
}
