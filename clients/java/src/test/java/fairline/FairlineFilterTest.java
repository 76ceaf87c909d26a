package fairline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The filter in a real Tomcat. It protects /shop/{event}; everything else is open. */
class FairlineFilterTest {
    private static final String COOKIE = (String) VectorsTest.vectors().get(0).get("cookie");
    private static final Clock CLOCK = Clock.fixed(VectorsTest.nowOf(VectorsTest.vectors().get(0)), ZoneOffset.UTC);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static Tomcat tomcat;
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        java.util.logging.Logger.getLogger("org.apache").setLevel(java.util.logging.Level.SEVERE);
        folder = Files.createTempDirectory("fairline-java-");
        tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "site", new HttpServlet() {
            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                Entry entry = (Entry) request.getAttribute(FairlineFilter.ENTRY);
                response.getWriter().write(entry == null ? "nobody" : entry.visitor());
            }
        });
        context.addServletMappingDecoded("/*", "site");
        FilterDef filter = new FilterDef();
        filter.setFilterName("fairline");
        filter.setFilter(new FairlineFilter(VectorsTest.verifier(CLOCK),
            request -> request.getRequestURI().startsWith("/shop/") ? request.getRequestURI().substring(6) : null,
            request -> request.getHeader("X-User"),
            (request, refused) -> { }));
        context.addFilterDef(filter);
        FilterMap map = new FilterMap();
        map.setFilterName("fairline");
        map.addURLPattern("/*");
        context.addFilterMap(map);
        tomcat.getConnector();
        tomcat.start();
    }

    @AfterAll
    static void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
        try (var files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
    }

    @Test
    void passesRedirectsAndRefuses() throws Exception {
        expect("GET", "/about", 200, "", "nobody");
        expect("GET", "/shop/concert", 200, "", "guest:", "Cookie", COOKIE);
        expect("GET", "/shop/concert?row=4&x=%2F", 302, "/queue/concert?to=%2Fshop%2Fconcert%3Frow%3D4%26x%3D%252F", "", "Accept", "text/html");
        expect("GET", "/shop/other", 302, "/queue/other?to=%2Fshop%2Fother", "", "Cookie", COOKIE, "Accept", "text/html");
        expect("GET", "/shop/concert", 403, "", "\"ENTRY_TOKEN_REQUIRED\"", "Sec-Fetch-Dest", "empty", "Accept", "text/html");
        expect("POST", "/shop/concert", 403, "", "\"redirectTo\":\"/queue/concert\"", "Accept", "text/html");
        expect("GET", "/shop/", 302, "/queue", "", "Accept", "text/html");
        expect("GET", "/shop/a%0d%0ab", 302, "/queue", "", "Accept", "text/html");
        expect("GET", "/shop/concert", 403, "", "\"ENTRY_TOKEN_INVALID\"", "Cookie", COOKIE, "X-User", "mina");
    }

    private static void expect(String method, String target, int status, String location, String part, String... headers)
            throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + target);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) request.headers(headers);
        HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        String what = method + " " + target + " " + String.join(" ", headers);
        assertEquals(status, response.statusCode(), what);
        assertEquals(location, response.headers().firstValue("Location").orElse(""), what);
        assertTrue(response.body().contains(part), what + ": " + response.body());
        assertEquals(status == 200 ? "" : "no-store", response.headers().firstValue("Cache-Control").orElse(""), what);
    }
}
