// How the cards at the provider stand.
import type { LiveIssuer } from '@cardstock/sdk'
import { Money } from '~/ui/money.tsx'
import { Facts, Panel } from '~/ui/page.tsx'
import { Time } from '~/ui/time.tsx'

type CardsState = NonNullable<NonNullable<LiveIssuer['state']>['cards']>

export function Cards({ cards }: { cards: CardsState }) {
  return (
    <Panel title={`Cards at ${cards.provider}`}>
      <Facts
        facts={[
          ['On cards, according to the issuer', <Money key="owed" value={cards.owed} />],
          ['Left at the provider to fund cards', <Float key="float" cards={cards} />],
          ['Requests without an outcome', cards.requestsOpen],
          ['Of these, waiting for a decision', <Waiting key="waiting" cards={cards} />],
          ['Last event', cards.lastEventAt === null ? '–' : <Time key="event" value={cards.lastEventAt} />],
          ['Events last read', cards.eventsReadAt === null ? 'Never' : <Time key="read" value={cards.eventsReadAt} />],
          ['Events about unknown cards', cards.eventsOfUnknownCards],
        ]}
      />
      <p>
        Crediting a card account does not fund the provider. Keep more money at the provider than companies will order;
        otherwise their orders fail.
      </p>
    </Panel>
  )
}

function Float({ cards: { float, floatReadAt } }: { cards: CardsState }) {
  if (float === null) return 'Not reported'
  return (
    <>
      <Money value={float} />
      {floatReadAt === null ? null : (
        <>
          {' '}
          at <Time value={floatReadAt} />
        </>
      )}
    </>
  )
}

function Waiting({ cards: { requestsWaiting, waitingSince } }: { cards: CardsState }) {
  if (waitingSince === null) return requestsWaiting
  return (
    <>
      {requestsWaiting}, the oldest since <Time value={waitingSince} />
    </>
  )
}
