/** What a route says about itself; `page` is the sidebar's entry. */
export interface RouteHandle {
  title: string;
  page?: string;
}
