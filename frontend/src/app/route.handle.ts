import type { AppRoute } from '@orange-id/contract/app.routes';
import type { ReactNode } from 'react';

/** What a page looks like while it loads, if it differs from a title, a line and one card. */
export interface SkeletonShape {
  /** Replaces the title of the page. */
  title?: string;
  /** The head is a banner. */
  isBanner?: true;
  /** The head has a button. */
  hasAction?: true;
  cards?: number;
  /** Replaces the cards. */
  body?: ReactNode;
}

/** Metadata of a route. */
export interface RouteHandle {
  title: string;
  /** Replaces the title at an anchor. */
  titleAt?: (hash: string) => string;
  description?: string;
  keywords?: string;
  /** The page that the route shows; none if the path is unknown. */
  page?: AppRoute;
  /** The page that this one belongs to. */
  below?: AppRoute;
  skeleton?: SkeletonShape;
  /** Renders without header, sidebar and footer: always, or unless a signed-in user links a sign-in method. */
  bare?: 'always' | 'unlessLinking';
}
