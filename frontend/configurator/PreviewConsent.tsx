import type { Appearance } from '@orange-id/contract/appearance';
import { consentText } from '@orange-id/contract/consent.text';
import { claimNames, tenantClaims } from '@orange-id/contract/tenant.claims';
import type { ColorScheme } from '../widget/color.scheme';

/** What a person who signed in by email sees of themselves on the page. */
const examples = { name: 'Ada', picture: null, email: 'ada@example.com', wallet: null } as const;

/**
 * The portal's consent page for the app, in the portal's look: of the project it shows the name and an uploaded logo. The
 * server writes the page itself (`consent.pages.ts`) with the same words; its order is repeated here.
 */
export function PreviewConsent({
  appName,
  look,
  scheme,
}: {
  appName: string;
  look: Appearance;
  scheme: ColorScheme;
}) {
  const logo = [look.logo.light, look.logo.dark].find((path) => path.startsWith('/pictures/'));
  return (
    <div>
      <div className={`consent ${scheme}`} inert>
        <h2>{consentText.title(appName)}</h2>
        {logo !== undefined && <img src={new URL(logo, new URL(window.location.href).origin).href} alt="" />}
        <dl>
          <dt>{consentText.app}</dt>
          <dd>{appName}</dd>
          <dt>{consentText.website}</dt>
          <dd>https://your-site.example</dd>
        </dl>
        <p>You’re signed in to the Orange ID account linked to ada@example.com.</p>
        <fieldset>
          <legend>{consentText.seen(appName)}</legend>
          {tenantClaims.map((claim) => (
            <label key={claim}>
              <input type="checkbox" defaultChecked={claim !== 'wallet'} />
              <span>
                {claimNames[claim]}
                {examples[claim] !== null && <small>{examples[claim]}</small>}
              </span>
            </label>
          ))}
          <p>{consentText.always}</p>
        </fieldset>
        <button type="button">Continue</button>
        <button type="button" className="quiet">
          Cancel
        </button>
        <p>{consentText.note}</p>
      </div>
      <p className="consent-note">
        Every app gets this same page, so people recognise it. It shows only a logo you uploaded here, because
        a remote one would reveal who visits.
      </p>
    </div>
  );
}
