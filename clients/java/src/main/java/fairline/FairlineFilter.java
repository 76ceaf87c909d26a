package fairline;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Lets only admitted visitors pass. A page load without an admission is redirected to the waiting page; everything else gets
 * 403 with that address. Servlet 5 and later (Tomcat 10, Jetty 11, Spring Boot 3).
 */
public class FairlineFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;
    /** The request attribute that holds the Entry of an admitted visitor. */
    public static final String ENTRY = "fairline.entry";

    private static final int MAX_WANTED_PAGE = 1024;
    private static final Pattern EVENT_ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    /** A path of this site. The line checks it again. */
    private static final Pattern WANTED_PAGE = Pattern.compile(
        "/(?:[\\x21\\x22\\x24-\\x2e\\x30-\\x5b\\x5d-\\x7e][\\x21\\x22\\x24-\\x5b\\x5d-\\x7e]*)?");

    private final transient FairlineVerifier verifier;
    private final transient Function<HttpServletRequest, String> event;
    private final transient Function<HttpServletRequest, String> user;
    private final transient BiConsumer<HttpServletRequest, RefusedException> onRefusal;

    /** For guests only. event: see the other constructor. */
    public FairlineFilter(FairlineVerifier verifier, Function<HttpServletRequest, String> event) {
        this(verifier, event, request -> null, (request, refused) -> { });
    }

    /**
     * @param event the event that a request is about; null: the request needs no token
     * @param user the id of the user whom your site has authenticated; null: a guest
     * @param onRefusal for logs and metrics
     */
    public FairlineFilter(FairlineVerifier verifier, Function<HttpServletRequest, String> event,
            Function<HttpServletRequest, String> user, BiConsumer<HttpServletRequest, RefusedException> onRefusal) {
        this.verifier = Objects.requireNonNull(verifier);
        this.event = Objects.requireNonNull(event);
        this.user = Objects.requireNonNull(user);
        this.onRefusal = Objects.requireNonNull(onRefusal);
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        request.removeAttribute(ENTRY);
        String wanted = event.apply(request);
        if (wanted != null) {
            try {
                String cookie = join(request, "Cookie", "; ");
                String header = join(request, "X-Queue-Entry-Token", ", ");
                request.setAttribute(ENTRY, verifier.check(wanted, cookie, header, user.apply(request)));
            } catch (RefusedException refused) {
                onRefusal.accept(request, refused);
                sendToWait(request, response, wanted, refused);
                return;
            }
        }
        chain.doFilter(request, response);
    }

    private static String join(HttpServletRequest request, String name, String separator) {
        List<String> values = Collections.list(request.getHeaders(name));
        return values.isEmpty() ? null : String.join(separator, values);
    }

    private static void sendToWait(HttpServletRequest request, HttpServletResponse response, String event,
            RefusedException refused) throws IOException {
        boolean isPage = isPageLoad(request);
        String to = "/queue";
        if (EVENT_ID.matcher(event).matches()) {
            String query = request.getQueryString();
            String page = request.getRequestURI() + (query == null ? "" : "?" + query);
            boolean isOwn = page.length() <= MAX_WANTED_PAGE && WANTED_PAGE.matcher(page).matches();
            to += "/" + event + (isPage && isOwn ? "?to=" + URLEncoder.encode(page, StandardCharsets.UTF_8) : "");
        }
        response.setHeader("Cache-Control", "no-store");
        if (isPage) {
            // Not sendRedirect, which makes the address absolute by a Host header that anyone can send.
            response.setStatus(HttpServletResponse.SC_FOUND);
            response.setHeader("Location", to);
            return;
        }
        response.setStatus(HttpServletResponse.SC_FORBIDDEN);
        response.setContentType("application/json");
        // None of the three texts needs escaping.
        response.getWriter().write("{\"error\":{\"code\":\"" + refused.code()
            + "\",\"message\":\"This page needs an admission of the waiting room.\"},\"redirectTo\":\"" + to + "\"}");
    }

    /** Browsers say what they load. A form or a script would lose its content by a redirect. */
    private static boolean isPageLoad(HttpServletRequest request) {
        if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) return false;
        String loads = request.getHeader("Sec-Fetch-Dest");
        if (loads != null && !loads.isEmpty()) return loads.equals("document");
        String accept = request.getHeader("Accept");
        return accept != null && accept.contains("text/html");
    }
}
