package example;

import fairline.Entry;
import fairline.FairlineFilter;
import fairline.FairlineVerifier;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A small shop: the pages below /shop/{event} are for visitors who were admitted to that event. */
public class Example {
    public static void main(String[] arguments) throws Exception {
        FairlineVerifier verifier = FairlineVerifier.builder()
            .jwksUrl(System.getenv("LINE_URL") + "/.well-known/jwks.json")
            .build();
        FairlineFilter filter = new FairlineFilter(verifier, request -> {
            String path = request.getServletPath();
            return path.startsWith("/shop/") ? path.substring("/shop/".length()) : null;
        });

        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("example").toString());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(Integer.parseInt(System.getenv("PORT")));
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "shop", new Shop());
        context.addServletMappingDecoded("/", "shop");
        FilterDef definition = new FilterDef();
        definition.setFilterName("fairline");
        definition.setFilter(filter);
        context.addFilterDef(definition);
        FilterMap everything = new FilterMap();
        everything.setFilterName("fairline");
        everything.addURLPattern("/*");
        context.addFilterMap(everything);
        tomcat.getConnector();
        tomcat.start();
        tomcat.getServer().await();
    }

    static class Shop extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Entry entry = (Entry) request.getAttribute(FairlineFilter.ENTRY);
            response.setContentType("text/plain; charset=utf-8");
            response.getWriter().write(entry == null ? "Welcome" : "Tickets of " + entry.event() + " for " + entry.visitor());
        }
    }
}
