import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { useAccountElsewhere } from '../../api/account/account.elsewhere';
import { useConfiguredMethods } from '../../api/config/config.context';
import { useSignInMethods } from '../../api/account/get.sign-in.methods';
import { linkingPath, type LinkingRequest } from '../../api/account/linking.path';
import { EmailText } from '../../ui/EmailText';
import { KeptElsewhere } from '../../ui/KeptElsewhere';
import { LinkButton } from '../../ui/LinkButton';
import { ListState } from '../../ui/ListState';
import { methodIcons } from '../../ui/method.icons';
import { methodNames } from '../../ui/method.names';
import { RowsShape } from '../../ui/PageShapes';

const socials = ['google', 'apple', 'email'] as const;

/**
 * The account's Google, Apple and email sign-in methods; they are linked and unlinked on the linking page, which
 * confirms them.
 */
export function SocialsCard() {
  const { data, error, isFetching, refetch } = useSignInMethods();
  const keptAt = useAccountElsewhere();
  return (
    <section className="light-card" aria-labelledby="profile-socials-title">
      <div className="light-card-head">
        <h2 id="profile-socials-title">Socials</h2>
      </div>
      {keptAt ? (
        <KeptElsewhere address={keptAt} path={linkingPath} />
      ) : (
        <ListState
          isLoading={!data && !error}
          error={data ? null : error}
          errorTitle="Failed to load your sign-in methods"
          isRetrying={isFetching}
          onRetry={() => void refetch()}
          isEmpty={data?.length === 0}
          emptyTitle="No sign-in methods to show"
          emptyHelp="Another service manages your account. You can still connect a sign-in method."
          emptyAction={<LinkButton to={linkingPath}>Connect a sign-in method</LinkButton>}
          skeleton={<RowsShape count={socials.length} />}
        >
          <ul className="rows" aria-label="Socials">
            {socials.flatMap((provider) => {
              const linked = data?.filter((method) => method.provider === provider) ?? [];
              if (linked.length > 0)
                return linked.map((method) => (
                  <Social key={method.id} provider={provider} method={method} isOnly={data?.length === 1} />
                ));
              return [<Social key={provider} provider={provider} />];
            })}
          </ul>
        </ListState>
      )}
    </section>
  );
}

const requestToAdd = (add: SignInMethod['provider']): LinkingRequest => ({ add });
const requestToRemove = ({ provider, label }: SignInMethod): LinkingRequest => ({
  remove: { provider, label },
});

interface SocialProps {
  provider: SignInMethod['provider'];
  /** The linked method; missing if there is none. */
  method?: SignInMethod;
  /** Whether this is the account's only sign-in method, which can't be removed. */
  isOnly?: boolean;
}

function Social({ provider, method, isOnly = false }: SocialProps) {
  const isOffered = useConfiguredMethods().includes(provider);
  const act = method ? 'Disconnect' : 'Connect';
  return (
    <li>
      <span className="rows-icon">{methodIcons[provider]}</span>
      <div className="rows-words">
        <strong>{methodNames[provider]}</strong>
        <span className="note">
          {method ? (
            <EmailText email={method.label} />
          ) : isOffered ? (
            'Not connected'
          ) : (
            'Not available on this portal'
          )}
        </span>
        {method && isOnly && <span className="note">Your only sign-in method</span>}
      </div>
      {(method ? !isOnly : isOffered) && (
        <LinkButton to={linkingPath} state={method ? requestToRemove(method) : requestToAdd(provider)}>
          {act} <span className="visually-hidden">{methodNames[provider]}</span>
        </LinkButton>
      )}
    </li>
  );
}
