import type { Appearance } from '@orange-id/contract/appearance';
import { claimNames, tenantClaims } from '@orange-id/contract/tenant.claims';
import type { ColorScheme } from '../widget/color.scheme';

/** What the portal's consent page shows of the app, because it keeps the portal's own look: its name, and an upload. */
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
    <div className={`consent ${scheme}`}>
      <h2>Continue to this app?</h2>
      {logo !== undefined && <img src={new URL(logo, new URL(window.location.href).origin).href} alt="" />}
      <dl>
        <dt>App</dt>
        <dd>{appName}</dd>
        <dt>Website</dt>
        <dd>The address that the visitor comes from</dd>
      </dl>
      <p>What it sees</p>
      <ul>
        {tenantClaims.map((claim) => (
          <li key={claim}>{claimNames[claim]}</li>
        ))}
      </ul>
      <p className="help">
        This page belongs to the portal and looks the same for every app, so that people recognise it. Of your
        look it shows an uploaded logo only: one from elsewhere would tell its owner who visits.
      </p>
    </div>
  );
}
