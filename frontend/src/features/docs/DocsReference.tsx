import { curlFor, keyPlaceholder } from '@orange-id/contract/call.snippets';
import { docsGroups, type DocsEndpoint, type DocsGroup } from '@orange-id/contract/docs.reference';
import { exampleCall } from '@orange-id/contract/example.call';
import type { MeteredPath, MeteredRouteId } from '@orange-id/contract/metered.paths';
import { Link } from 'react-router-dom';
import { useConfig } from '../../api/config/config.context';
import { LinkButton } from '../../ui/LinkButton';
import { explorerPath } from '@orange-id/contract/docs.url';
import { DocsCode } from '../../ui/DocsCode';
import { DocsHeading, DocsTable } from '../../ui/DocsText';
import styles from './docs.module.css';

/** The API reference: these groups of endpoints, all or those that match the search. */
export function DocsReference({ groups }: { groups: readonly DocsGroup[] }) {
  return groups.map(({ id, title, description, endpoints }) => (
    <section key={id} id={id} className={styles.group} aria-label={title}>
      <DocsHeading id={id} title={title} level={2} />
      <p className={styles.lead}>{description}</p>
      {endpoints.map((endpoint) => (
        <Endpoint key={endpoint.id} {...endpoint} />
      ))}
    </section>
  ));
}

/** Every group with its description and links to its endpoints. */
export function DocsCatalogue() {
  return (
    <ul className={styles.catalogue}>
      {docsGroups.map(({ id, title, description, endpoints }) => (
        <li key={id} className="light-card">
          <h3>{title}</h3>
          <p>{description}</p>
          <ul className={styles.endpointLinks}>
            {endpoints.map((endpoint) => (
              <li key={endpoint.id}>
                <EndpointLink {...endpoint} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function EndpointLink({ id, method, path }: DocsEndpoint) {
  return (
    <Link to={{ hash: id }} className={styles.endpointLink}>
      <Method method={method} />
      <code>{path}</code>
    </Link>
  );
}

const Method = ({ method }: { method: string }) => (
  <span className={styles.method} data-method={method}>
    {method}
  </span>
);

function Endpoint({ id, method, path, title, description, routeId, route }: DocsEndpoint) {
  return (
    <section id={id} className={styles.endpoint} aria-label={title}>
      <DocsHeading id={id} title={title} level={3} />
      <p className={styles.path}>
        <Method method={method} />
        <code>{path}</code>
      </p>
      <p>{description}</p>
      {route && routeId && <Details routeId={routeId} route={route} />}
    </section>
  );
}

function Details({ routeId, route }: { routeId: MeteredRouteId; route: MeteredPath }) {
  const { publicUrl } = useConfig();
  const { parameters, bodyFields, samples, title } = route;
  const [success] = samples;
  return (
    <>
      {parameters.length > 0 && (
        <DocsTable
          head={['Parameter', 'Type', 'Description']}
          rows={parameters.map(({ name, in: place, type, required, description }) => [
            `\`${name}\``,
            `${type} in the ${place}${required ? ', required' : ''}`,
            description,
          ])}
        />
      )}
      {bodyFields && (
        <DocsTable
          head={['Body field', 'Type', 'Description']}
          rows={bodyFields.map(({ name, type, description }) => [`\`${name}\``, type, description])}
        />
      )}
      <DocsCode
        code={curlFor(route, { baseUrl: publicUrl, apiKey: keyPlaceholder, ...exampleCall(route) })}
        label={`curl command: ${title}`}
        language="Terminal"
      />
      {success && (
        <DocsCode
          code={JSON.stringify(success.body, null, 2)}
          label={`example response: ${title}`}
          language={`Response ${success.statusCode}`}
        />
      )}
      <LinkButton to={explorerPath(routeId)} size="small">
        Try it in the API Explorer
      </LinkButton>
    </>
  );
}
